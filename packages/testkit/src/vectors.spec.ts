import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { sharedFolder } from './vectors.js';

const repository = path.resolve(import.meta.dirname, '../../..');
const vectorsFolder = path.join(sharedFolder(), 'vectors');

(existsSync(vectorsFolder) ? test : test.skip)(
  'every file of conformance vectors is claimed by a suite',
  () => {
    const suites = specFiles().map((file) => readFileSync(file, 'utf8'));
    const unclaimed = readdirSync(vectorsFolder).filter(
      (file) => !suites.some((suite) => suite.includes(file)),
    );
    expect(unclaimed).toEqual([]);
  },
);

function specFiles(): string[] {
  return ['apps', 'packages'].flatMap((kind) =>
    readdirSync(path.join(repository, kind)).flatMap((name) => {
      const src = path.join(repository, kind, name, 'src');
      if (!existsSync(src)) return [];
      return readdirSync(src, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('spec.ts'))
        .map((file) => path.join(src, file));
    }),
  );
}
