import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ENVIRONMENT_PAGE, environmentPage, variableNames } from './environment-page.js';

test('every variable that a service reads has a description, and no other name has one', () => {
  const { described, read } = variableNames();
  expect([...described].sort()).toEqual([...read].sort());
});

test('docs/reference/environment.md is the output of `pnpm reference` for the schemas of the services', () => {
  expect(readFileSync(ENVIRONMENT_PAGE, 'utf8')).toBe(environmentPage());
});
