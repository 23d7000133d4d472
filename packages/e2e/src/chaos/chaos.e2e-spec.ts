import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { FAULT_KINDS, type FaultKind } from './faults.js';
import { describe as described, planOf, Randomness, survivable } from './plan.js';
import { RaceFixture } from './race-fixture.js';

jest.setTimeout(600_000);

/** `CHAOS_SEED` moves the faults; `pnpm chaos` takes another one every time, and more attempts. */
const SEED = Number(process.env.CHAOS_SEED ?? 8);
const ATTEMPTS = 24;
/** Each takes a minute or more: the long version has them. */
const LONG: readonly FaultKind[] = ['everything', 'everything-for-an-hour', 'partition', 'full-disk'];

describe('whatever is killed, nothing is lost and nothing is done twice', () => {
  let opening: Promise<RaceFixture>;

  beforeAll(async () => {
    console.info(`chaos: seed ${SEED}`);
    opening = RaceFixture.open({ attempts: ATTEMPTS, seed: SEED, log: () => {} });
    await opening;
  }, 600_000);
  afterAll(async () => {
    await (await opening).close();
  }, 600_000);

  test('a race that nothing disturbs needs one delivery of each attempt', async () => {
    const { violations, redeliveries } = await (await opening).round([]);
    expect({ violations, redeliveries }).toEqual({ violations: [], redeliveries: 0 });
  });

  test('a race in which every service, both servers, a sandbox and the network fail ends with every attempt graded once', async () => {
    const random = new Randomness(SEED);
    const quick = FAULT_KINDS.filter((kind) => !LONG.includes(kind));
    const plan = planOf(survivable(quick, random), random);
    const about = { seed: SEED, plan: plan.map(described) };
    const { violations } = await (await opening).round(plan);
    expect({ ...about, violations }).toEqual({ ...about, violations: [] });
  });
});
