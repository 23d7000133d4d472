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

  test('weak tests fail the check, and each mutant that they take is listed with its change', async () => {
    const { summary, findings } = await harness.strength(WEAK);
    expect(summary.state).toBe('failed');
    expect(summary.strength).toBeLessThan(0.8);
    expect(findings).toContainEqual(expect.objectContaining({ code: 'graders_weak', severity: 'error' }));
    const survivors = findings.filter(({ code }) => code === 'mutant_survives');
    expect(survivors).toHaveLength(summary.mutants - summary.noticed);
    expect(survivors).toContainEqual(
      expect.objectContaining({
        severity: 'note',
        case_key: 'one',
        message: 'A mutant in solution.py:5 passes (string).',
        detail: '-        return "B"\n+        return ""',
      }),
    );
  });

  test('tests of both sides of each boundary notice every mutant', async () => {
    const { summary, findings } = await harness.strength(STRONG);
    expect(findings).toEqual([]);
    expect(summary).toMatchObject({ state: 'passed', strength: 1 });
    expect(summary.mutants).toBeGreaterThan(15);
  });
});
