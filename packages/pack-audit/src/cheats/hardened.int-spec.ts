import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditPack } from '../audit-pack.js';
import { AuditHarness } from '../testing/audit-harness.js';
import { examplePack } from '../testing/example-packs.js';

const harness = new AuditHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

/** The others are tried at night. */
const EXAMPLES = ['cheats', 'capital-cities', 'late-refund'];

describe('graders that hold', () => {
  test.each(EXAMPLES)(
    'No cheat gains a point on the example %s.',
    async (name) => {
      const pack = await examplePack(name);
      const ports = harness.ports();
      const report = await auditPack(pack, { ports, concurrency: 4, isQuick: true, version: 'test' });
      expect(report.findings.filter(({ check }) => check === 'cheats')).toEqual([]);
      expect(report.checks.cheats).toMatchObject({ state: 'passed', gained: 0 });
    },
    300_000,
  );
});
