import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import { repository } from './product.js';

const folder = path.resolve(import.meta.dirname, '../../../examples/challenge-packs');
const packs = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

test.each(packs)('the example %s reads without a single problem', (file) => {
  expect(readPack(readFileSync(path.join(folder, file))).problems).toEqual([]);
});

test('every test that docs/security.md names exists', () => {
  const text = readFileSync(path.join(repository, 'docs/security.md'), 'utf8');
  const named = [...text.matchAll(/`([\w./-]+\.(?:int-|e2e-|nightly-)?spec\.ts)`/g)].map(
    ([, file = '']) => file,
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
});
