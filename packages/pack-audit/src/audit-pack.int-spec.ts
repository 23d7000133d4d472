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
  'loose-pattern': { code: 'weak_case', severity: 'warning', case_key: 'australia' },
  'misspelt-member': { code: 'weak_case', severity: 'warning', case_key: 'australia' },
  'no-work-passes': { code: 'idle_passes', severity: 'error', case_key: 'weather' },
  'one-weak-case': { code: 'cheat_passes', severity: 'error', case_key: 'australia' },
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

  test('one that is interruptible reports what was found, and the check in which it ended', async () => {
    const interrupted = new AbortController();
    const { checks, ...report } = await harness.audit(GOOD, {
      signal: interrupted.signal,
      isInterruptible: () => true,
      onProgress: ({ check, done }) => check === 'idle' && done > 0 && interrupted.abort(),
    });
    expect(report).toMatchObject({ result: 'incomplete', interrupted: true });
    expect(report.findings).toMatchObject([{ check: 'idle', code: 'audit_interrupted' }]);
    expect(checks).toMatchObject({
      oracle: { state: 'passed', passed: 2 },
      idle: { state: 'incomplete', summary: expect.stringMatching(/^interrupted: /) },
      cheats: { state: 'incomplete', tried: 0 },
      strength: { state: 'incomplete', strength: null },
    });
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

  test('where the graders hang for the first solutions, nothing else is run, and the finding names it', async () => {
    const seen = new Set<string>();
    const { result, findings, checks } = await harness.audit(HANGING, {
      isQuick: false,
      onProgress: ({ check }) => seen.add(check),
    });
    expect([...seen]).toEqual(['oracle', 'strength']);
    expect(result).toBe('failed');
    expect(checks).toMatchObject({
      oracle: { state: 'failed', trials: 8, cases: 8, passed: 0, repetitions: 1, flake_rate: null },
      ...{ idle: { state: 'skipped', trials: 0 }, echo: { state: 'skipped' }, blank: { state: 'skipped' } },
      cheats: { state: 'incomplete', tried: 0, gained: 0, summary: 'no solution passes; not run' },
      strength: { state: 'skipped', trials: 0 },
    });
    expect(findings.filter(({ check }) => check !== 'static')).toMatchObject([
      {
        code: 'solution_fails',
        severity: 'error',
        case_key: 'n1',
        detail: expect.stringMatching(/^tests: /),
      },
      { code: 'solution_not_graded', severity: 'missing', case_key: 'n9', other_case_keys: ['n10'] },
      { code: 'cheats_not_run', severity: 'missing' },
    ]);
  });

  test('where solutions fail and graders do not hang, agents without work are tried and cheats are not', async () => {
    const wrong = GOOD.replace('value: "3"', 'value: "4"').replace('value: "300"', 'value: "400"');
    const { findings, checks } = await harness.audit(wrong);
    expect(checks).toMatchObject({
      ...{ idle: { state: 'passed', trials: 2 }, cheats: { state: 'incomplete', trials: 0 } },
    });
    expect(findings.map(({ code }) => code)).toEqual(['solution_fails', 'solution_fails', 'cheats_not_run']);
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
  warning: 'passed',
};

/** Its findings are those of the mutants. */
const ELSEWHERE = ['weak-tests'];

const HANGING = `
pack: {slug: hanging, name: Hanging, family: audits}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file, shell], allow_shell: true}
  evaluation_spec:
    name: hanging
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: tests, type: code_execution, config: {test_command: sleep 600, scoring: all_or_nothing, timeout_ms: 300}}
    scorecard: {strategy: binary, dimensions: [{key: correctness, pass_threshold: 1}]}
challenges:
  - {key: c, title: Write, category: a, difficulty: easy, instructions: Write a.txt., solution: {files: [{path: a.txt, content: a}]}}
input_sets:
  - key: default
    name: Default
    cases: [${Array.from({ length: 10 }, (_, n) => `{challenge_key: c, case_key: n${n + 1}, payload: {n: ${n}}}`).join(', ')}]
`;

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
