import { expect, test } from '@jest/globals';
import { formatBytes } from './format-bytes.js';

test('bytes are written in binary units with three to four digits', () => {
  const sizes = [0, 1, 1_023, 1_024, 1_536, 102_400, 104_857_600, 1_610_612_736, 2 ** 43];
  expect(sizes.map(formatBytes)).toEqual([
    '0 B',
    '1 B',
    '1023 B',
    '1.0 KiB',
    '1.5 KiB',
    '100 KiB',
    '100 MiB',
    '1.5 GiB',
    '8192 GiB',
  ]);
});
