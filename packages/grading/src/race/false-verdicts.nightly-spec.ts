import { describe, expect, test } from '@jest/globals';
import { estimateLane } from '../sequential/lane-sequence.js';
import { equalLanes, type Lanes } from '../testing/races.js';
import { Random } from '../testing/random.js';
import { SequentialRace } from './race.js';
import type { RaceBlock, RaceDecisions, RaceGoal } from './types.js';

const RACES = 2_000;
const ALPHA = 0.05;
const CASES = 201;
const NAMES = ['a', 'b', 'c'];
const order = Array.from({ length: CASES }, (_, index) => `case-${index}`);

function decide(lanes: Lanes, goal: RaceGoal, margin: number): RaceDecisions {
  const racing = goal === 'baseline' ? NAMES.slice(0, 2) : NAMES;
  const race = new SequentialRace(
    {
      ...{ goal, margin, alpha: ALPHA, max_missing_share: 0.2, lanes: racing },
      ...(goal === 'baseline' && { baseline: 'c' }),
    },
    order,
  );
  const blocks = lanes.flatMap((values, lane) =>
    values.map((value, at): RaceBlock => ({ lane: NAMES[lane] ?? '', case_key: order[at] ?? '', value })),
  );
  race.update(blocks);
  return race.decisions();
}

const CELLS = (['ranking', 'best', 'baseline'] as const).flatMap((goal) =>
  [0.1, 0.5, 0.9].flatMap((rate) => [1, 3].map((repetitions) => ({ goal, rate, repetitions }))),
);

describe('2,000 races of three equal lanes with missing cases', () => {
  test.each(CELLS)(
    'the goal $goal gets a false verdict or interval in at most a share of alpha at $rate, $repetitions repetitions',
    ({ goal, rate, repetitions }) => {
      const random = new Random(31);
      let isFalse = 0;
      for (let race = 0; race < RACES; race += 1) {
        const lanes = equalLanes(random, { lanes: 3, cases: CASES, rate, repetitions, missing: 0.05 });
        const { pairs } = decide(lanes, goal, 0.02);
        const holdsTruth = pairs.every(
          ({ sign, interval: [lower, upper] }) => !sign && lower <= 1e-9 && upper >= -1e-9,
        );
        if (!holdsTruth) isFalse += 1;
      }
      expect(isFalse / RACES).toBeLessThanOrEqual(ALPHA);
    },
  );

  test.each([0.05, 0.5, 0.95])(
    'the interval of a lane at %d holds the mean of all its cases at every stop',
    (rate) => {
      const random = new Random(32);
      let isMissed = 0;
      for (let race = 0; race < RACES; race += 1) {
        const [values = []] = equalLanes(random, {
          lanes: 3,
          cases: CASES,
          rate,
          repetitions: 3,
          missing: 0.05,
        });
        const truth = estimateLane(values).mean ?? 0;
        const stop = 5 + Math.floor(random.uniform() * (CASES - 5));
        const [lower, upper] = estimateLane(values.map((value, at) => (at < stop ? value : undefined)))
          .interval ?? [2, -1];
        if (truth < lower - 1e-9 || truth > upper + 1e-9) isMissed += 1;
      }
      expect(isMissed / RACES).toBeLessThanOrEqual(ALPHA);
    },
  );
});
