import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { casesTestable, detectableLoss } from './comparison/detectable.js';
import { differenceBounds } from './comparison/paired-test.js';
import { boundedMeanInterval } from './statistics/sample.js';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../docs/statistics.md'), 'utf8');

/** The rows of the table with this first column, as pairs of cells. */
function rows(title: string): [string, string][] {
  const [, body = ''] =
    guide.match(new RegExp(`^\\| ${title} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'm')) ?? [];
  return body
    .trim()
    .split('\n')
    .map((line): [string, string] => {
      const [, first = '', second = ''] = line.split('|').map((cell) => cell.trim());
      return [first, second];
    });
}

const ones = (n: number) => Array.from({ length: n }, () => 1);

describe('the figures of the guide to statistics are what the code computes', () => {
  test.each(rows('Cases, all passed'))(
    'the interval of %s cases that all passed is %s',
    (cases, interval) => {
      const [low = 0, high = 0] = boundedMeanInterval(ones(Number(cases))) ?? [];
      expect(`[${low.toFixed(3)}, ${high.toFixed(3)}]`).toBe(interval);
    },
  );

  test.each(rows('Equal cases, one test'))('%s equal cases would have shown a loss of %s', (cases, loss) => {
    expect(detectableLoss({ n: Number(cases), se: 0, tests: 1 })?.toFixed(3)).toBe(loss);
  });

  test.each(rows('Distinct tests'))('a comparison with %s tests needs %s cases', (tests, cases) => {
    expect(casesTestable(Number(tests))).toBe(Number(cases));
  });

  test.each(rows('Margin \\(`fail`\\)'))('a margin of %s needs %s equal cases', (margin, cases) => {
    const lower = (n: number) => {
      const [low] = differenceBounds(
        ones(n).map(() => 0),
        0,
      );
      return low;
    };
    expect(lower(Number(cases))).toBeGreaterThan(-Number(margin));
    expect(lower(Number(cases) - 1)).toBeLessThanOrEqual(-Number(margin));
  });
});
