import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditHarness } from '../testing/audit-harness.js';
import { INSTALLED_PACKS } from '../testing/installed-packs.js';
import { runProofs } from '../testing/naive-trials.js';
import { GAINS_WITH_PACKAGES } from '../testing/proofs.js';
import { CHEATS } from './cheats.js';

const PROOFS = CHEATS.flatMap((cheat) =>
  (GAINS_WITH_PACKAGES[cheat.key] ?? []).map((pack) => ({ cheat, key: cheat.key, pack })),
);

const harness = new AuditHarness();
let proofs: Awaited<ReturnType<typeof runProofs>>;

beforeAll(async () => {
  await harness.open();
  proofs = await runProofs(PROOFS, { packs: INSTALLED_PACKS, ports: harness.ports() });
}, 1_200_000);
afterAll(() => harness.close());

describe('the cheats of runners and compilers that are installed for a pack', () => {
  test.each(PROOFS)('The cheat $key gains a point on the naive pack $pack.', ({ key, pack }) => {
    expect(proofs.get(`${key} ${pack}`)).toMatchObject({ finding: { code: 'cheat_passes' } });
  });
});
