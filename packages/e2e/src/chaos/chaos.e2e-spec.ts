import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Arena } from './arena.js';
import { bearable, describe as described, planOf } from './plan.js';
import { Randomness } from './randomness.js';
import { STRIKE_KINDS, type StrikeKind } from './strikes.js';

jest.setTimeout(600_000);

/** `CHAOS_SEED` strikes at other moments; `pnpm chaos` does so every time, and with more attempts. */
const SEED = Number(process.env.CHAOS_SEED ?? 8);
const ATTEMPTS = 24;
/** Each takes a minute or more: the long version has them. */
const LONG: readonly StrikeKind[] = ['everything', 'everything-for-an-hour', 'partition', 'full-disk'];

describe('whatever is killed, nothing is lost and nothing is done twice', () => {
  let opening: Promise<Arena>;

  beforeAll(async () => {
    console.info(`chaos: seed ${SEED}`);
    opening = Arena.open({ attempts: ATTEMPTS, seed: SEED, say: () => {} });
    await opening;
  }, 600_000);
  afterAll(async () => {
    await (await opening).close();
  }, 600_000);

  test('a race that nothing disturbs needs one delivery of each attempt', async () => {
    const { faults, redeliveries } = await (await opening).round([]);
    expect({ faults, redeliveries }).toEqual({ faults: [], redeliveries: 0 });
  });

  test('every service, both servers, a sandbox and the network fail while it goes on', async () => {
    const random = new Randomness(SEED);
    const quick = STRIKE_KINDS.filter((kind) => !LONG.includes(kind));
    const plan = planOf(bearable(quick, random), random);
    const about = { seed: SEED, plan: plan.map(described) };
    const { faults } = await (await opening).round(plan);
    expect({ ...about, faults }).toEqual({ ...about, faults: [] });
  });
});
