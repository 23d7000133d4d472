import { describe, expect, test } from '@jest/globals';
import { plannedRace } from './race-planner.js';

const REQUEST = {
  ...{ goal: 'ranking' as const, alpha: 0.05, margin: 0, lanes: 2, cases: 60, difference: 0.1, seed: 1 },
  ...{ discordance: null, earlier: [] },
};
const CASES = 20;
/** Passes all cases but the first ones. */
const failing = (count: number) => Array.from({ length: CASES }, (_, at) => (at < count ? 0 : 1));

describe('the plan of a race', () => {
  test('the alpha is shared by the pairs of the goal', () => {
    expect(plannedRace({ ...REQUEST, lanes: 4 })).toMatchObject({ pairs: 6, share: 0.05 / 6 });
    expect(plannedRace({ ...REQUEST, goal: 'baseline', lanes: 4 })).toMatchObject({ pairs: 4 });
  });

  test('the discordance is the requested one, else that of the lanes that differ most', () => {
    const earlier = [failing(0), failing(4), failing(10)];
    expect(plannedRace({ ...REQUEST, earlier, discordance: 0.3 })).toMatchObject({
      discordance: 0.3,
      discordance_source: 'request',
    });
    expect(plannedRace({ ...REQUEST, earlier })).toMatchObject({
      discordance: 0.5,
      discordance_source: 'earlier_runs',
    });
    expect(plannedRace({ ...REQUEST, earlier: earlier.slice(0, 2) })).toMatchObject({ discordance: 0.2 });
  });

  test('the pairs of the goal baseline are those with the baseline', () => {
    const earlier = [failing(0), failing(10), failing(4)];
    const plan = plannedRace({ ...REQUEST, goal: 'baseline', earlier });
    expect(plan).toMatchObject({ discordance: 0.3, discordance_source: 'earlier_runs' });
  });

  test('a discordance is assumed where too few cases have values of both lanes', () => {
    const partly = failing(4).map((value, at) => (at < 9 ? value : null));
    const assumed = { discordance: 0.5, discordance_source: 'assumed' };
    expect(plannedRace({ ...REQUEST, earlier: [failing(0), partly] })).toMatchObject(assumed);
    expect(plannedRace(REQUEST)).toMatchObject(assumed);
  });
});
