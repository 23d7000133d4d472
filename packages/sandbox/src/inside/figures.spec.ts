import { expect, test } from '@jest/globals';
import { decodeFigures } from './figures.js';

const UNKNOWN = 2n ** 64n - 1n;

function payloadOf(...figures: bigint[]): Buffer {
  const payload = Buffer.alloc(8 * figures.length);
  for (const [index, figure] of figures.entries()) payload.writeBigUInt64LE(figure, 8 * index);
  return payload;
}

test('figures of the process inside are those of the sandbox, and what it cannot read is absent', () => {
  expect(decodeFigures(payloadOf(4096n, 8192n, 1_500n, 3n, 0n))).toEqual({
    memoryBytes: 4096,
    memoryPeakBytes: 8192,
    cpuMs: 1.5,
    processes: 3,
    oomKills: 0,
  });
  expect(decodeFigures(payloadOf(UNKNOWN, UNKNOWN, UNKNOWN, 3n, UNKNOWN))).toEqual({ processes: 3 });
});

test('a payload that is too short, as of an older process inside, has no figures', () => {
  expect(decodeFigures(Buffer.alloc(0))).toEqual({});
  expect(decodeFigures(payloadOf(1n).subarray(0, 7))).toEqual({});
});
