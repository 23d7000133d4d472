import { expect, test } from '@jest/globals';
import { type Counts, side } from '../testing/trials.js';
import { compareRunAgents } from './compare.js';

test('a comparison of many real cases stays quick', () => {
  const counts: Counts = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index): [string, [number, number]] => [
      `case-${index}`,
      [index % 4, 3],
    ]),
  );
  const started = performance.now();
  compareRunAgents([{ baseline: side('a', counts), candidate: side('b', counts) }]);
  expect(performance.now() - started).toBeLessThan(2_000);
});
