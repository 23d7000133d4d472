import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { DISK_DEFAULTS, MEMORY_DISK_BYTES_MAX } from './options.js';

const MIB = 2 ** 20;
const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/sandbox.md'), 'utf8');

/** The last cell of the row that begins so, in MiB. */
function sizeOf(row: string): number {
  const line = page.split('\n').find((each) => each.startsWith(`| ${row}`)) ?? '';
  return Number(/(\d+) MiB(?: by default)? \|$/.exec(line)?.[1]);
}

test('docs/sandbox.md lists every addition to memory_bytes', () => {
  expect({
    tmpBytes: sizeOf('`/tmp`') * MIB,
    homeBytes: sizeOf('home') * MIB,
    sharedMemoryBytes: sizeOf('`/dev/shm`') * MIB,
    extraBytes: sizeOf('each further writable root') * MIB,
  }).toEqual(DISK_DEFAULTS);
  expect(sizeOf('workspace') * MIB).toBe(MEMORY_DISK_BYTES_MAX);
});

test('the sums of the page are those of the sizes', () => {
  const { tmpBytes, homeBytes, sharedMemoryBytes, extraBytes } = DISK_DEFAULTS;
  const fixed = (tmpBytes + homeBytes + sharedMemoryBytes) / MIB;
  expect(page).toContain(`at most 1 GiB + ${fixed + 256} MiB`);
  expect(page).toContain(`a program 1 GiB + ${fixed + 256 + extraBytes / MIB} MiB`);
  expect(page).toContain(`a program still up to ${64 + 64 + fixed + extraBytes / MIB} MiB`);
});
