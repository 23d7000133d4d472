import { describe, expect, test } from '@jest/globals';
import { verdictRange } from '../sequential/confidence-sequence.js';
import { equalLanes, independentLanes, type Lanes, racePair } from '../testing/races.js';
import { Random } from '../testing/random.js';

const RACES = 2_000;
const ALPHA = 0.05;
const range = verdictRange(0);

/** The pairs of a race by all-against-all, each with its share of alpha. */
function racePairs(lanes: Lanes) {
  const pairs = lanes.flatMap((left, index) => lanes.slice(index + 1).map((right) => ({ left, right })));
  const alpha = ALPHA / pairs.length;
  return pairs.map(({ left, right }) => ({
    left,
    right,
    pair: racePair(left, right, { alpha, margin: 0, range }),
  }));
}

function share(ofRace: () => boolean): number {
  let count = 0;
  for (let race = 0; race < RACES; race += 1) if (ofRace()) count += 1;
  return count / RACES;
}

const RATES = [0.1, 0.5, 0.9].flatMap((rate) => [1, 3].map((repetitions) => ({ rate, repetitions })));

describe('false verdicts in 2,000 simulated races', () => {
  test.each(RATES)(
    'two equal lanes that pass at $rate, $repetitions repetitions, get a verdict in at most a share of alpha',
    ({ rate, repetitions }) => {
      const random = new Random(21);
      const isFalse = () =>
        racePairs(equalLanes(random, { lanes: 2, cases: 200, rate, repetitions })).some(
          ({ pair }) => pair.loser,
        );
      expect(share(isFalse)).toBeLessThanOrEqual(ALPHA);
    },
  );

  test.each(RATES)(
    'three equal lanes that pass at $rate, $repetitions repetitions, get any verdict in at most a share of alpha',
    ({ rate, repetitions }) => {
      const random = new Random(22);
      const isFalse = () =>
        racePairs(equalLanes(random, { lanes: 3, cases: 201, rate, repetitions })).some(
          ({ pair }) => pair.loser,
        );
      expect(share(isFalse)).toBeLessThanOrEqual(ALPHA);
    },
  );

  test('a test of 5 % after each case, stopped when it is significant, gives three times as many false verdicts', () => {
    const random = new Random(23);
    const isFalse = () => {
      const [left = [], right = []] = equalLanes(random, { lanes: 2, cases: 200, rate: 0.5, repetitions: 1 });
      let [gained, lost] = [0, 0];
      return left.some((value, at) => {
        gained += Number((value ?? 0) > (right[at] ?? 0));
        lost += Number((value ?? 0) < (right[at] ?? 0));
        return Math.abs(gained - lost) > 1.96 * Math.sqrt(gained + lost) && gained + lost > 5;
      });
    };
    expect(share(isFalse)).toBeGreaterThan(3 * ALPHA);
  });
});

describe('power in 2,000 simulated races of 500 cases', () => {
  test.each([
    { difference: 0.1, half: 0.4, cases: 300 },
    { difference: 0.2, half: 0.95, cases: 100 },
    { difference: 0.4, half: 1, cases: 30 },
  ])('a difference of $difference is found, half of the times within $cases cases', (given) => {
    const { difference, cases, half } = given;
    const random = new Random(24);
    const rates = [0.5 + difference / 2, 0.5 - difference / 2];
    const positions: number[] = [];
    let isContradicted = 0;
    for (let race = 0; race < RACES; race += 1) {
      for (const { left, right, pair } of racePairs(
        independentLanes(random, { rates, cases: 500, repetitions: 1 }),
      )) {
        const whole = left.reduce<number>((sum, value, at) => sum + (value ?? 0) - (right[at] ?? 0), 0);
        const { sign, position } = pair.decision();
        positions.push(position);
        if (sign !== null && Math.sign(whole) !== sign) isContradicted += 1;
      }
    }
    positions.sort((a, b) => a - b);
    expect(positions[RACES / 2]).toBeLessThanOrEqual(cases);
    expect(positions.filter((position) => position <= 250).length / RACES).toBeGreaterThanOrEqual(half);
    expect(isContradicted / RACES).toBeLessThanOrEqual(ALPHA);
  });
});
