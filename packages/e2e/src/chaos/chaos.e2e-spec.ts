import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Arena } from './arena.js';
import { describe as described, planOf } from './plan.js';
import { Randomness } from './randomness.js';
import { STRIKE_KINDS, STRIKES } from './strikes.js';

jest.setTimeout(600_000);

/** The long version, `pnpm chaos`, strikes at other moments every time, and with more attempts. */
const SEED = 8;
const ATTEMPTS = 60;

describe('whatever is killed, nothing is lost and nothing is done twice', () => {
  let arena: Arena;

  beforeAll(async () => {
    arena = await Arena.open({ attempts: ATTEMPTS, seed: SEED, say: () => {} });
  }, 120_000);
  afterAll(async () => {
    await arena?.close();
  }, 120_000);

  test('a contest that nothing disturbs needs one delivery of each attempt', async () => {
    const { faults, redeliveries } = await arena.round([]);
    expect({ faults, redeliveries }).toEqual({ faults: [], redeliveries: 0 });
  });

  test('every process, every server, a sandbox, the network and the disk fail while it goes on', async () => {
    const possible = STRIKE_KINDS.filter((kind) => STRIKES[kind].isPossible?.(arena.scene) ?? true);
    const plan = planOf(possible, new Randomness(SEED));
    const { faults } = await arena.round(plan);
    expect({ seed: SEED, plan: plan.map(described), faults }).toMatchObject({ faults: [] });
  });
});
