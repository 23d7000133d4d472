import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ATTACK_KEYS, ATTACKS } from './attacks.js';
import { Tenants } from './tenants.js';

jest.setTimeout(300_000);

/** How long anything takes is for `pnpm abuse`, `pnpm bench tenants` and the nightly run. */
describe('while one workspace attacks, the run of another has the same verdicts and its API serves every request', () => {
  let tenants: Tenants;

  beforeAll(async () => {
    tenants = await Tenants.open();
  }, 300_000);
  afterAll(async () => {
    await tenants?.close();
  }, 120_000);

  test.each(ATTACK_KEYS)(
    'the attacker gets the expected outcomes under %s, and no process is restarted',
    async (key) => {
      const { violations, outcomes } = await tenants.under(ATTACKS[key], 'short');
      expect({ violations, outcomes }).toEqual({ violations: [], outcomes });
    },
  );
});
