import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ATTACKS, type AttackKey } from './attacks.js';
import { Tenants } from './tenants.js';

jest.setTimeout(300_000);

/** Attacks on the three kinds of work that workspaces share: threads of services, of executors, and the request limiter. */
const DAILY: readonly AttackKey[] = ['output-schemas', 'search-patterns', 'refused-requests'];

/** The nightly run has all attacks, and `pnpm abuse` and `pnpm bench tenants` measure times. */
describe('while one workspace attacks, the run of another has the same verdicts and its API serves every request', () => {
  let tenants: Tenants;

  beforeAll(async () => {
    tenants = await Tenants.open();
  }, 300_000);
  afterAll(async () => {
    await tenants?.close();
  }, 120_000);

  test.each(DAILY)(
    'the attacker gets the expected outcomes under %s, and no process is restarted',
    async (key) => {
      const { violations, outcomes } = await tenants.under(ATTACKS[key], 'short');
      expect({ violations, outcomes }).toEqual({ violations: [], outcomes });
    },
  );
});
