import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditHarness } from '../testing/audit-harness.js';
import { runProofs } from '../testing/naive-trials.js';
import { CONTAINED, GAINS, NAIVE_PACKS } from '../testing/proofs.js';
import { CHEATS } from './cheats.js';

const PROOFS = CHEATS.flatMap((cheat) => {
  const packs = GAINS[cheat.key] ?? (cheat.key in CONTAINED ? ['asserts'] : []);
  return packs.map((pack) => ({ cheat, key: cheat.key, pack }));
});
const GAINING = PROOFS.filter(({ key }) => key in GAINS);
const HELD = PROOFS.flatMap(({ key, pack }) => {
  const contained = CONTAINED[key];
  return contained ? [{ key, pack, contained }] : [];
});

const harness = new AuditHarness();
let proofs: Awaited<ReturnType<typeof runProofs>>;

beforeAll(async () => {
  await harness.open();
  proofs = await runProofs(PROOFS, { packs: NAIVE_PACKS, ports: harness.ports() });
}, 600_000);
afterAll(() => harness.close());

describe('the cheats', () => {
  test.each(GAINING)('The cheat $key gains a point on the naive pack $pack.', ({ key, pack }) => {
    const proof = proofs.get(`${key} ${pack}`);
    const code = proof === 'not installed' ? proof : (proof?.finding?.code ?? proof);
    expect(code).toEqual(expect.stringMatching(/^(cheat_passes|cheat_gains|not installed)$/));
  });

  test.each(HELD)(
    'The cheat $key takes place and gains nothing, since it attacks sandboxes only.',
    ({ key, pack, contained }) => {
      const proof = proofs.get(`${key} ${pack}`);
      if (proof === undefined || proof === 'not installed' || !proof.result)
        throw new Error('it was not tried');
      expect(contained.shows(proof.result)).toEqual(contained.expected);
      expect(proof.result.points?.passed).toBe(false);
      expect(proof.finding).toBeUndefined();
    },
  );
});
