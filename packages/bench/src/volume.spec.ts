import { expect, test } from '@jest/globals';
import { shapeOf } from './volume.js';

test.each([
  [200, 5_000, 25],
  [200, 10, 1],
  [500, 50_000, 100],
  [500, 1_000_000, 100],
])(
  '%d cases make %d attempts in %d repetitions, as far as a run may repeat them',
  (cases, attempts, repetitions) => {
    expect(shapeOf(cases, attempts)).toEqual({ cases, repetitions });
  },
);
