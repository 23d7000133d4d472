import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditHarness } from '../testing/audit-harness.js';
import { historyPacks } from '../testing/history-packs.js';
import { runProofs } from '../testing/naive-trials.js';
import { CONTAINED, GAINS, GAINS_WITH_HISTORY, NAIVE_PACKS } from '../testing/proofs.js';
import type { TrialResult } from '../trials/trial.js';
import { CHEATS } from './cheats.js';

const KNOWN: Readonly<Record<string, readonly string[]>> = { ...GAINS, ...GAINS_WITH_HISTORY };
const PROOFS = CHEATS.flatMap((cheat) => {
  const packs = KNOWN[cheat.key] ?? (cheat.key in CONTAINED ? ['asserts'] : []);
  return packs.map((pack) => ({ cheat, key: cheat.key, pack }));
});
const GAINING = PROOFS.filter(({ key }) => key in KNOWN);
const HELD = PROOFS.flatMap(({ key, pack }) => {
  const contained = CONTAINED[key];
  return contained ? [{ key, pack, contained }] : [];
});

function whyNot(result: TrialResult | undefined): unknown {
  if (!result) return 'the cheat does not apply to this pack';
  const { outcome, points, evidence } = result;
  const run = evidence.events.find(({ event_type }) => event_type === 'grader.verification.code_executed');
  return { outcome, points, run: run?.payload };
}

const harness = new AuditHarness();
let proofs: Awaited<ReturnType<typeof runProofs>>;

beforeAll(async () => {
  await harness.open();
  proofs = await runProofs(PROOFS, { packs: { ...NAIVE_PACKS, ...historyPacks() }, ports: harness.ports() });
}, 600_000);
afterAll(() => harness.close());

describe('the cheats', () => {
  test.each(GAINING)('The cheat $key gains a point on the naive pack $pack.', ({ key, pack }) => {
    const proof = proofs.get(`${key} ${pack}`);
    const code = proof === 'not installed' ? proof : (proof?.finding?.code ?? whyNot(proof?.result));
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
