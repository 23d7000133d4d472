import { expect, test } from '@jest/globals';
import { installedIn } from './installed-packages.js';

const STATUS = `Package: jq
Status: install ok installed
Version: 1.6

Package: mawk
Status: install ok installed
Provides: awk (= 1), posix-awk
Version: 1.3

Package: removed
Status: deinstall ok config-files
`;

test('installed packages count with the packages that they provide, and removed ones do not', () => {
  expect([...installedIn(STATUS)]).toEqual(['jq', 'mawk', 'awk', 'posix-awk']);
});

test('an empty list has no packages', () => {
  expect(installedIn('').size).toBe(0);
});
