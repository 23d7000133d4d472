import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { discordanceOf, type PlanOptions, pairCount, planRace } from './plan.js';

const OPTIONS: PlanOptions = {
  ...{ cases: 500, difference: 0.1, discordance: 0.3, alpha: 0.05, margin: 0, pairs: 1 },
};

describe('the plan of a race', () => {
  test('the fixed number of cases is that of a paired test with 80 % power', () => {
    // ((1.959964 + 0.841621)·√(0.3 − 0.1²)/0.1)²
    expect(planRace(OPTIONS).fixed_cases).toBe(228);
    expect(planRace({ ...OPTIONS, difference: 1, discordance: 1 }).fixed_cases).toBe(6);
  });

  test('the simulated numbers of cases are in order, and the same for the same seed', () => {
    const plan = planRace(OPTIONS);
    expect(plan).toMatchObject({ share: 0.05, discordance: 0.3, simulations: 1_000 });
    expect(plan.sequential_cases.median).toBeLessThan(plan.sequential_cases.p90);
    expect(plan.sequential_cases.p90).toBeLessThanOrEqual(500);
    expect(planRace(OPTIONS)).toEqual(plan);
    expect(planRace({ ...OPTIONS, seed: 2 })).not.toEqual(plan);
  });

  test('a sequential race of two lanes that differ by 0.4 takes a tenth of 500 cases, and of 0.1 about half', () => {
    const median = (difference: number) =>
      planRace({ ...OPTIONS, difference, discordance: 0.5 }).sequential_cases.median;
    expect(median(0.4)).toBeLessThan(50);
    expect(median(0.1)).toBeGreaterThan(150);
    expect(median(0.1)).toBeLessThan(350);
  });

  test('a larger difference, fewer pairs and less discordance need fewer cases', () => {
    const needed = (given: Partial<PlanOptions>) => {
      const { fixed_cases, sequential_cases } = planRace({ ...OPTIONS, ...given });
      return [fixed_cases, sequential_cases.median];
    };
    const [fixed = 0, median = 0] = needed({});
    for (const easier of [{ difference: 0.2 }, { discordance: 0.2 }]) {
      expect(needed(easier)[0]).toBeLessThan(fixed);
      expect(needed(easier)[1]).toBeLessThan(median);
    }
    expect(needed({ pairs: 6 })[0]).toBeGreaterThan(fixed);
    expect(needed({ pairs: 6 })[1]).toBeGreaterThan(median);
  });

  test('any plan ends with cases of the input set, and a discordance below the difference is raised to it', () => {
    const share = fc.double({ min: 0.01, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), share, share, (cases, difference, discordance) => {
        const plan = planRace({ ...OPTIONS, cases, difference, discordance });
        expect(plan.discordance).toBeGreaterThanOrEqual(difference);
        expect(plan.sequential_cases.p90).toBeLessThanOrEqual(cases);
        expect(plan.sequential_cases.median).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 20 },
    );
    expect(() => planRace({ ...OPTIONS, difference: 0 })).toThrow('The difference 0 is not within 0 to 1');
  });

  test('many cases and a wide margin take fewer simulations, so that the time is bounded', () => {
    expect(planRace({ ...OPTIONS, cases: 100_000, difference: 0.5 }).simulations).toBe(434);
    expect(planRace({ ...OPTIONS, cases: 100_000, difference: 0.5, margin: 0.5 }).simulations).toBe(100);
  });

  test('the pairs of a goal are counted as the race counts them', () => {
    expect([pairCount('ranking', 4), pairCount('best', 3), pairCount('baseline', 3)]).toEqual([6, 3, 3]);
  });
});

test('the discordance of lanes that pass or fail is the share of cases where only one passes', () => {
  const pairs = [
    { baseline: 1, candidate: 0 },
    { baseline: 0, candidate: 1 },
    { baseline: 1, candidate: 1 },
    { baseline: 0, candidate: 0 },
  ];
  expect(discordanceOf(pairs)).toBe(0.5);
  expect(discordanceOf([{ baseline: 0.5, candidate: 0 }])).toBe(0.25);
  expect(discordanceOf([])).toBeNull();
});
