import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditReport } from './report/report.js';
import { AuditHarness } from './testing/audit-harness.js';

const FOLDER = path.join(import.meta.dirname, 'testing/bad-packs');
const packNamed = (name: string) => readFileSync(path.join(FOLDER, `${name}.yaml`), 'utf8');

/** The finding of each pack, of a class of defects each, and the cases that it names. */
const EXPECTED: Readonly<
  Record<string, { code: string; severity: string; case_key?: string; isFull?: true }>
> = {
  'echo-passes': { code: 'echo_passes', severity: 'error', case_key: 'grass' },
  'empty-file-passes': { code: 'blank_passes', severity: 'error', case_key: 'disk' },
  'flaking-tests': { code: 'solution_flakes', severity: 'error', isFull: true },
  'forgeable-tests': { code: 'cheat_passes', severity: 'error' },
  'no-work-passes': { code: 'idle_passes', severity: 'error', case_key: 'weather' },
  unproven: { code: 'solution_missing', severity: 'missing', case_key: 'peru' },
  'visible-expectation': { code: 'visible_expectation', severity: 'error' },
  'wrong-expectation': { code: 'solution_fails', severity: 'error', case_key: 'wrong' },
};

/** Codes that a check of one defect alone has. */
function codes({ findings }: AuditReport): string[] {
  const listed = findings.filter(({ severity }) => severity !== 'note');
  return [...new Set(listed.map(({ code }) => code))].sort();
}

describe('the audit of a pack', () => {
  const harness = new AuditHarness();
  beforeAll(() => harness.open());
  afterAll(() => harness.close());

  test('a pack whose graders hold passes, and the certificate has its digest', async () => {
    const report = await harness.audit(GOOD, { isQuick: false });
    expect(codes(report)).toEqual([]);
    expect(report).toMatchObject({
      result: 'passed',
      pack: { slug: 'sums', number: 1, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      checks: {
        oracle: { state: 'passed', cases: 2, passed: 2, repetitions: 5, flake_rate: 0 },
        ...{ idle: { state: 'passed' }, echo: { state: 'passed' }, blank: { state: 'passed' } },
      },
    });
  });

  test.each(Object.entries(EXPECTED))(
    'the pack %s is found to be defective in its own way',
    async (name, { isFull = false, case_key, ...finding }) => {
      const report = await harness.audit(packNamed(name), { isQuick: !isFull });
      expect(report.findings).toContainEqual(
        expect.objectContaining({ ...finding, ...(case_key !== undefined && { case_key }) }),
      );
      expect(report.result).toBe(RESULTS[finding.severity]);
    },
  );

  test('every bad pack has an expected finding', () => {
    const names = readdirSync(FOLDER).map((file) => path.basename(file, '.yaml'));
    expect(names.filter((name) => !(name in EXPECTED))).toEqual(ELSEWHERE);
  });

  test('an audit that is cancelled rejects with the reason, and leaves no sandbox', async () => {
    const cancelled = new AbortController();
    const reason = new Error('cancelled by the test');
    const audit = harness.audit(GOOD, {
      signal: cancelled.signal,
      onProgress: ({ check, done }) => check === 'oracle' && done > 0 && cancelled.abort(reason),
    });
    await expect(audit).rejects.toBe(reason);
  });

  test('a solution that never ends is ended by its own time limit, and fails', async () => {
    const endless = GOOD.replace(
      'run: sh /tmp/sum.sh > sum.txt',
      'run: "while :; do :; done"\n      timeout_seconds: 1',
    );
    const { findings, checks } = await harness.audit(endless);
    expect(checks.oracle).toMatchObject({ state: 'failed', passed: 0 });
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'solution_fails', detail: expect.stringContaining('1 s') }),
    );
  });

  test('progress counts the trials of each check up to their number', async () => {
    const seen = new Map<string, number[]>();
    const report = await harness.audit(GOOD, {
      onProgress: ({ check, done, total }) => {
        expect(done).toBeLessThanOrEqual(total);
        seen.set(check, [...(seen.get(check) ?? []), done]);
      },
    });
    expect(seen.get('idle')).toEqual([0, 1, 2]);
    expect(report.checks.idle.trials).toBe(2);
  });
});

const RESULTS: Readonly<Record<string, AuditReport['result']>> = {
  error: 'failed',
  missing: 'incomplete',
};

/** Its findings are those of the mutants. */
const ELSEWHERE = ['weak-tests'];

const GOOD = `
pack: {slug: sums, name: Sums, family: arithmetic}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file, shell], allow_shell: true}
  evaluation_spec:
    name: sums
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: sum, type: file_content_match, target: "file:sum", expected_from: case.expectations.sum, config: {match_mode: exact}}
    post_execution_checks:
      - {key: sum, type: file_capture, path: sum.txt}
    scorecard:
      strategy: binary
      dimensions: [{key: correctness, pass_threshold: 1}]
challenges:
  - key: sum
    title: Sum the numbers
    category: arithmetic
    difficulty: easy
    instructions: The file numbers.txt has one number a line. Write their sum to sum.txt.
    solution:
      files: [{path: /tmp/sum.sh, content: "awk '{sum += $1} END {printf \\"%d\\", sum}' numbers.txt"}]
      run: sh /tmp/sum.sh > sum.txt
input_sets:
  - key: default
    name: Default
    cases:
      - challenge_key: sum
        case_key: small
        payload: {workspace_files: [{path: numbers.txt, content: "1\\n2\\n"}]}
        expectations: [{key: sum, kind: text, value: "3"}]
      - challenge_key: sum
        case_key: large
        payload: {workspace_files: [{path: numbers.txt, content: "100\\n200\\n"}]}
        expectations: [{key: sum, kind: text, value: "300"}]
`;
