import { expect, test } from '@jest/globals';
import { findingsIn, problemsIn, set } from '../testing/example-pack.js';

const IMAGE = { image: `docker.io/library/debian@sha256:${'ab'.repeat(32)}` };
const CASE = 'input_sets.0.cases.0.sandbox';
const FILESYSTEM = { working_directory: '/etc/x', writable_roots: ['/work', '/usr/src/app', '/proc/1'] };

test('directories that no sandbox without an image makes writable are warnings at their places', () => {
  const problems = problemsIn([
    set('version.filesystem', FILESYSTEM),
    set('challenges.0.sandbox', { working_directory: '/dev/x' }),
    set(CASE, { working_directory: '/sys' }),
  ]);
  expect(problems.map(({ severity, code, field }) => `${severity} ${code} ${field}`).sort()).toEqual([
    'warning not_writable challenges[0].sandbox.working_directory',
    'warning not_writable input_sets[0].cases[0].sandbox.working_directory',
    'warning not_writable version.filesystem.working_directory',
    'warning not_writable version.filesystem.writable_roots[1]',
    'warning not_writable version.filesystem.writable_roots[2]',
  ]);
});

test.each(['version.sandbox', 'challenges.0.sandbox', CASE])(
  'with the image of %s only directories of the kernel are left',
  (location) => {
    const patches = [set('version.filesystem', FILESYSTEM), set(location, IMAGE)];
    expect(findingsIn(patches)).toEqual(['version.filesystem.writable_roots[2] not_writable']);
  },
);

test('the image of a challenge is that of its cases, and the image of a case no other', () => {
  const own = { working_directory: '/usr/src/app' };
  expect(findingsIn([set('challenges.0.sandbox', IMAGE), set(CASE, own)])).toEqual([]);
  expect(findingsIn([set(CASE, { ...IMAGE, ...own })])).toEqual([]);
  const device = { working_directory: '/dev/x' };
  expect(findingsIn([set(CASE, { ...IMAGE, ...device })])).toEqual([
    'input_sets[0].cases[0].sandbox.working_directory not_writable',
  ]);
  expect(findingsIn([set(CASE, own)])).toEqual([
    'input_sets[0].cases[0].sandbox.working_directory not_writable',
  ]);
});

test('other directories may have names that begin alike', () => {
  const filesystem = { working_directory: '/etcetera', writable_roots: ['/etcetera', '/usr2', '/var/lib/x'] };
  expect(findingsIn([set('version.filesystem', filesystem)])).toEqual([]);
});
