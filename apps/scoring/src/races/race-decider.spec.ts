import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RaceDecider } from './race-decider.js';

const value = fc.oneof(fc.constantFrom(0, 1, null), fc.double({ min: 0, max: 1, noNaN: true }));
const POPULATION = 30;
const lane = (ids: string[]) => fc.tuple(...ids.map(() => fc.array(value, { maxLength: POPULATION })));
const IDS = ['a', 'b', 'c'];

test('the bounds of a lane stay within 0..1 and those of a pair within -1..1, and agree with its verdict', () => {
  fc.assert(
    fc.property(
      lane(IDS),
      fc.constantFrom('ranking' as const, 'best' as const),
      fc.constantFrom(0, 0.1),
      (values, goal, margin) => {
        const { pairs, lanes } = new RaceDecider().decide({
          ...{ run_id: 'run', goal, metric: 'overall', alpha: 0.05, margin, population: POPULATION },
          lanes: IDS.map((run_agent_id, at) => ({ run_agent_id, values: values[at] ?? [] })),
        });
        for (const { mean, lower, upper } of lanes) {
          const center = mean ?? lower;
          expect([0 <= lower, lower <= center + 1e-9, center <= upper + 1e-9, upper <= 1]).not.toContain(
            false,
          );
        }
        for (const { verdict, difference, lower, upper } of pairs) {
          const center = difference ?? lower;
          expect([-1 <= lower, lower <= center + 1e-9, center <= upper + 1e-9, upper <= 1]).not.toContain(
            false,
          );
          if (verdict === 'better') expect([lower >= 0, center > 0]).toEqual([true, true]);
          if (verdict === 'worse') expect([upper <= 0, center < 0]).toEqual([true, true]);
          if (verdict === 'equivalent') expect(Math.max(-lower, upper)).toBeLessThanOrEqual(margin + 1e-9);
        }
      },
    ),
    { numRuns: 100 },
  );
});
