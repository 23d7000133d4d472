import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

const listing = {
  path: '/workspace/out/',
  exists: true,
  entries: [
    { path: '/workspace/out/a.txt', is_dir: false },
    { path: '/workspace/out/src', is_dir: true },
    { path: '/workspace/out/src/b.txt', is_dir: false },
  ],
};

test.each([
  [{ required_files: ['a.txt', '/workspace/out/src/b.txt'] }, null],
  [{ required_directories: ['src/'] }, null],
  [{ required_files: ['src'] }, 'structure_mismatch'],
  [{ required_directories: ['a.txt'] }, 'structure_mismatch'],
  [{ forbidden_files: ['b.txt'] }, null],
  [{ forbidden_files: ['src/'] }, 'structure_mismatch'],
  [{ required_files: ['out/a.txt'] }, 'structure_mismatch'],
  [{ required_files: ['constructor'] }, 'structure_mismatch'],
])('%j: %s', (config, reason) => {
  expect(judge('directory_structure', { target: 'file:tree', config, listing })).toMatchObject({
    reason,
  });
});

test('a listing of relative paths matches whole paths as well', () => {
  const relative = { path: '/w', exists: true, entries: [{ path: 'a', is_dir: false }] };
  const config = { required_files: ['a', '/w/a'] };
  expect(judge('directory_structure', { target: 'file:tree', config, listing: relative })).toMatchObject({
    verdict: 'pass',
  });
});

test('a directory that is not there fails also what forbids', () => {
  const gone = { path: '/w', exists: false, entries: [] };
  const config = { forbidden_files: ['x'] };
  expect(judge('directory_structure', { target: 'file:tree', config, listing: gone })).toMatchObject({
    reason: 'file_missing',
  });
});
