import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { variableNames } from './environment-markdown.js';
import { GUIDE, guideWithReference } from './guide.js';

test('every variable that a service reads has words, and no other', () => {
  const { told, read } = variableNames();
  expect([...told].sort()).toEqual([...read].sort());
});

test('docs/self-hosting.md says what the services now read; `pnpm reference` writes it', () => {
  expect(readFileSync(GUIDE, 'utf8')).toBe(guideWithReference());
});
