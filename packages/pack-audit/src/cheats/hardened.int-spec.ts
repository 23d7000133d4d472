import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditPack } from '../audit-pack.js';
import { auditedPack } from '../pack/audited-pack.js';
import { AuditHarness } from '../testing/audit-harness.js';

const harness = new AuditHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

const folder = path.resolve(import.meta.dirname, '../../../../examples/challenge-packs');

/** An example with its first case only. */
async function example(name: string) {
  const { pack, problems } = readPack(readFileSync(path.join(folder, `${name}.yaml`)));
  if (!pack) throw new Error(`${name} is not valid`);
  const audited = await auditedPack({ pack, digest: name, problems }, async (file) =>
    readFileSync(path.join(folder, name, file)),
  );
  return { ...audited, cases: audited.cases.slice(0, 1) };
}

describe('graders that hold', () => {
  test.each(['cheats', 'capital-cities'])(
    'No cheat gains a point on the example %s.',
    async (name) => {
      const pack = await example(name);
      const ports = harness.ports();
      const report = await auditPack(pack, { ports, concurrency: 4, version: 'test' });
      expect(report.findings.filter(({ check }) => check === 'cheats')).toEqual([]);
      expect(report.checks.cheats).toMatchObject({ state: 'passed', gained: 0 });
    },
    300_000,
  );
});
