import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { variableNames } from './environment-markdown.js';
import { ENVIRONMENT_PAGE, environmentPage } from './environment-page.js';

test('every variable that a service reads has words, and no other', () => {
  const { told, read } = variableNames();
  expect([...told].sort()).toEqual([...read].sort());
});

test('docs/reference/environment.md says what the services now read; `pnpm reference` writes it', () => {
  expect(readFileSync(ENVIRONMENT_PAGE, 'utf8')).toBe(environmentPage());
});
