import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { BUS_PAGE, busPage } from './page.js';
import { describedSubjects } from './schemas.js';

test('docs/reference/bus.md is the output of `pnpm schema` for the contracts', () => {
  expect(readFileSync(BUS_PAGE, 'utf8')).toBe(busPage());
});

test('the page has a section with fields for every message of the bus API', () => {
  const sections = busPage().split('\n## ').slice(1);
  const described = sections
    .filter((section) => section.includes('| `'))
    .map((section) => section.split('\n')[0]);
  expect(described).toEqual(expect.arrayContaining(describedSubjects()));
});
