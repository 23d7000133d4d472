import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditPack } from '../audit-pack.js';
import type { AuditedPack } from '../pack/audited-pack.js';
import { AuditHarness } from '../testing/audit-harness.js';
import { examplePack } from '../testing/example-packs.js';
import { HARNESS_PACKS, harnessPack } from '../testing/harness-packs.js';
import { readNaive } from '../testing/naive-document.js';
import { runProofs } from '../testing/naive-trials.js';
import { DECEPTIONS } from './deceptions.js';

const harness = new AuditHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

/** The others are tried at night. */
const EXAMPLES = ['capital-cities', 'late-refund'];
const OF_RESULTS = [
  'unittest_of_results',
  'unittest_of_members',
  'node_test_of_results',
  'node_test_of_members',
];

describe('graders that hold', () => {
  test.each(EXAMPLES)(
    'No cheat gains a point on the example %s.',
    async (name) => expectNoGain(await examplePack(name)),
    300_000,
  );

  test.each(['unittest'])(
    'No cheat gains a point on tests that agentclash-grade runs with the adapter %s.',
    async (name) => expectNoGain(await readNaive(name, harnessPack(name))),
    300_000,
  );

  test.each(OF_RESULTS)(
    'No result that is not what it seems gains on the tests %s, as it would without the harness.',
    async (pack) => {
      const tries = DECEPTIONS.cheats.map((cheat) => ({ cheat, pack }));
      const proofs = await runProofs(tries, { packs: HARNESS_PACKS, ports: harness.ports() });
      const tried = [...proofs].filter(
        ([, proof]) => proof !== 'not installed' && proof.result !== undefined,
      );
      expect(tried.length).toBeGreaterThan(8);
      const gained = tried.filter(([, proof]) => proof !== 'not installed' && proof.finding !== undefined);
      expect(gained).toEqual([]);
    },
    300_000,
  );
});

async function expectNoGain(pack: AuditedPack): Promise<void> {
  const ports = harness.ports();
  const report = await auditPack(pack, { ports, concurrency: 4, isQuick: true, version: 'test' });
  expect(report.findings.filter(({ check }) => check === 'cheats')).toEqual([]);
  expect(report.checks.cheats).toMatchObject({ state: 'passed', gained: 0 });
}
