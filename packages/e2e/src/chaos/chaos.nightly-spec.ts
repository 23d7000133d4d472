import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { FaultKind } from './faults.js';
import { describe as described, planOf, Randomness, survivable } from './plan.js';
import { RaceFixture } from './race-fixture.js';

const HOUR_MS = 3_600_000;
jest.setTimeout(HOUR_MS);

/** `CHAOS_SEED` moves the faults; the daily suite injects the short ones. */
const SEED = Number(process.env.CHAOS_SEED ?? 31);
const LONG: readonly FaultKind[] = ['everything', 'partition', 'full-disk', 'everything-for-an-hour'];

describe('faults that take minutes lose nothing and do nothing twice', () => {
  let opening: Promise<RaceFixture>;

  beforeAll(async () => {
    console.info(`fault injection: seed ${SEED}`);
    opening = RaceFixture.open({ attempts: 200, seed: SEED, log: () => {} });
    await opening;
  }, HOUR_MS);
  afterAll(async () => {
    await (await opening).close();
  }, HOUR_MS);

  test.each(LONG)('a race in which %s fails ends with every attempt graded once', async (kind) => {
    const random = new Randomness(SEED);
    const plan = planOf(survivable([kind], random), random);
    const { violations } = await (await opening).round(plan);
    const about = { seed: SEED, plan: plan.map(described) };
    expect({ ...about, violations }).toEqual({ ...about, violations: [] });
  });
});
