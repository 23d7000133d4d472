import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditHarness } from './testing/audit-harness.js';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/grading-harness.md');
const BLOCK = /```yaml\n(pack: \{slug: go-stack[\s\S]*?)```/;

(existsSync('/usr/bin/go') ? describe : describe.skip)(
  'the Go pack of the page of the grading harness (needs golang-go)',
  () => {
    const harness = new AuditHarness();
    beforeAll(() => harness.open());
    afterAll(() => harness.close());

    test('its solution passes, no cheat gains a point, and its tests notice every mutant', async () => {
      const [, pack = ''] = BLOCK.exec(readFileSync(PAGE, 'utf8')) ?? [];
      const report = await harness.audit(pack, { isQuick: true });
      expect(report.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
      expect(report).toMatchObject({
        result: 'passed',
        checks: {
          oracle: { state: 'passed' },
          cheats: { state: 'passed', gained: 0 },
          strength: { state: 'passed', strength: 1 },
        },
      });
    }, 1_800_000);
  },
);
