import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sharedFolder } from '@agentclash/testkit/shared-folder';
import { expect, test } from '@jest/globals';
import { DISPUTED } from '../disputed.js';

const folder = path.join(sharedFolder(), 'vectors');

(existsSync(folder) ? test : test.skip)(
  'every shared conformance file has its suite, and only such (needs AGENTCLASH_SHARED)',
  () => {
    const suites = readdirSync(import.meta.dirname)
      .filter((file) => /^(?!every-file).*spec\.ts$/.test(file))
      .flatMap((file) => {
        const source = readFileSync(path.join(import.meta.dirname, file), 'utf8');
        return [...source.matchAll(/'([\w/-]+\.(?:yaml|json))'/g)].map(([, name]) => name);
      });
    const data = readdirSync(path.join(sharedFolder(), 'data'))
      .filter((file) => file.endsWith('-vectors.json'))
      .map((file) => `data/${file}`);
    const files = [...readdirSync(folder), ...data];
    expect(suites.sort()).toEqual(files.sort());
    expect(files).toEqual(expect.arrayContaining(Object.keys(DISPUTED)));
  },
);
