import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditHarness } from '../testing/audit-harness.js';

/** A function whose tests have one example. */
const WEAK = readFileSync(path.join(import.meta.dirname, '../testing/bad-packs/weak-tests.yaml'), 'utf8');
/** The same function, with tests of both sides of each boundary. */
const STRONG = WEAK.replace(
  /code = "import runpy.*/,
  `code = "import runpy; grade = runpy.run_path('solution.py')['grade']; print([grade(n) for n in (69, 70, 79, 80, 89, 90)])"`,
).replace(String.raw`run.stdout == "A\n"`, String.raw`run.stdout == "['F', 'C', 'C', 'B', 'B', 'A']\n"`);

describe('the strength of graders', () => {
  const harness = new AuditHarness();
  beforeAll(() => harness.open());
  afterAll(() => harness.close());

  test('weak tests fail the audit, and each mutant that they take is listed with its change, each time', async () => {
    const { checks, findings, result } = await harness.audit(WEAK);
    expect(result).toBe('failed');
    expect(checks.strength).toMatchObject({ state: 'failed', strength: expect.any(Number) });
    expect(checks.strength.strength).toBeLessThan(0.8);
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'strength', code: 'graders_weak', severity: 'error' }),
    );
    const survivors = findings.filter(({ code }) => code === 'mutant_survives');
    expect(survivors).toHaveLength(checks.strength.mutants - checks.strength.noticed);
    expect(survivors).toContainEqual(
      expect.objectContaining({
        severity: 'note',
        case_key: 'one',
        message: 'A mutant in solution.py:5 passes (string).',
        detail: '-        return "B"\n+        return ""',
      }),
    );
    const again = await harness.audit(WEAK);
    expect(again.findings).toEqual(findings);
  });

  test('tests of both sides of each boundary notice every mutant', async () => {
    const { checks, findings } = await harness.audit(STRONG);
    expect(findings.filter(({ check }) => check === 'strength')).toEqual([]);
    expect(checks.strength).toMatchObject({ state: 'passed', strength: 1 });
    expect(checks.strength.mutants).toBeGreaterThan(15);
  });
});
