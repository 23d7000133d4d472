import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { casesTestable, detectableLoss } from './comparison/detectable.js';
import { differenceBounds } from './comparison/paired-test.js';
import { fillPolicy } from './gates/policy.js';
import { stoppedFindings } from './gates/stopped.js';
import { PairRace } from './race/pair-race.js';
import { planRace } from './race/plan.js';
import { verdictRange } from './sequential/confidence-sequence.js';
import { estimateLane } from './sequential/lane-sequence.js';
import { boundedMeanInterval } from './statistics/sample.js';
import { Random } from './testing/random.js';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../docs/statistics.md'), 'utf8');

/** The cells of the table with this first column, row by row. */
function rows(title: string): string[][] {
  const [, body = ''] =
    guide.match(new RegExp(`^\\| ${title} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'm')) ?? [];
  const table = body
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  if (table.length < 2) throw new Error(`The guide has no table ${title}`);
  return table;
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

  test.each(rows('Pairs in the race'))(
    'a race of %s pairs takes %s cases where a lane wins all, and %s where it wins every fourth',
    (pairs, every, fourth) => {
      const taken = (isWon: (at: number) => boolean) => {
        const pair = new PairRace({
          ...{ a: 'a', b: 'b', cases: 500, margin: 0, max_missing_share: 0 },
          alpha: 0.05 / Number(pairs),
        });
        while (!pair.isDecided) pair.count(Number(isWon(pair.position)), 0);
        return String(pair.position);
      };
      expect([taken(() => true), taken((at) => at % 4 === 0)]).toEqual([every, fourth]);
    },
  );

  test.each(rows('Cases that count'))(
    'a lane of which %s cases count has the interval %s',
    (cases, interval) => {
      const values = Array.from({ length: 200 }, (_, at) =>
        at < Number(cases) ? Number(at % 5 !== 0) : undefined,
      );
      const [low = 0, high = 0] = estimateLane(values).interval ?? [];
      expect(`[${low.toFixed(3)}, ${high.toFixed(3)}]`).toBe(interval);
    },
  );

  test.each(rows('Difference'))(
    'a difference of %s takes %s cases in a fixed race, a median of %s and 90 %% of %s in a sequential one',
    (difference, fixed, median, p90) => {
      const plan = planRace({
        ...{ cases: 500, discordance: 0.5, alpha: 0.05, margin: 0, pairs: 1 },
        difference: Number(difference),
      });
      const { fixed_cases, sequential_cases } = plan;
      expect([fixed_cases, sequential_cases.median, sequential_cases.p90].map(String)).toEqual([
        fixed,
        median,
        p90,
      ]);
    },
  );

  test.each(rows('Cases raced'))(
    'a gate over a race of %s cases that pass at %s in each of %s attempts fails an unchanged agent in %s of races',
    (cases, rate, repetitions, share) => {
      const random = new Random(33);
      const value = () => random.binomial(Number(repetitions), Number(rate)) / Number(repetitions);
      const policy = fillPolicy({
        comparisons: { correctness: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'significant' } },
      });
      const isFailed = () => {
        const pair = new PairRace({
          ...{ a: 'candidate', b: 'baseline', cases: Number(cases), alpha: 0.05, margin: 0 },
          ...{ max_missing_share: 0, range: verdictRange(0) },
        });
        while (!pair.isDecided) pair.count(value(), value());
        const { verdict, difference, population } = pair.decision();
        // With the last case it is an ordinary run.
        if (verdict === null || verdict === 'exact') return false;
        const race = { verdict, metric: 'pass', difference, population } as const;
        return stoppedFindings(policy, race, ['correctness']).some(({ kind }) => kind === 'fail');
      };
      const failed = Array.from({ length: 300 }, isFailed).filter((each) => each).length;
      expect(`${Math.round((100 * failed) / 300)} %`).toBe(share);
    },
  );
});
