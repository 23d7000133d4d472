import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { repository } from './product.js';

test('every test that docs/security.md names exists', () => {
  const text = readFileSync(path.join(repository, 'docs/security.md'), 'utf8');
  const named = [...text.matchAll(/`([\w./-]+\.(?:int-|e2e-)?spec\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
});
