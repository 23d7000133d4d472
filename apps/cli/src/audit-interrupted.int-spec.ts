import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT_CODES } from '@agentclash/domain';
import { waitFor } from '@agentclash/testkit';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { command, emptyFolder, removeFolders, startCommand } from './testing/command.js';

/** Audits run in real sandboxes, on a machine with other work. */
jest.setTimeout(120_000);
afterAll(removeFolders);

/** The first case passes at once; the solution of the second runs for a minute, unless it is ended. */
const SLOW = `
pack: {slug: slow, name: Slow, family: coding}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file], allow_shell: true}
  evaluation_spec:
    name: slow
    version_number: 1
    judge_mode: deterministic
    post_execution_checks: [{key: out, type: file_capture, path: /workspace/out.txt}]
    validators:
      - {key: out, type: exact_match, target: "file:out", expected_from: case.expectations.out}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: a, title: A, category: c, difficulty: easy, instructions: "Write {{word}}, reversed, to out.txt."}
input_sets:
  - key: default
    name: Default
    cases:
      - {challenge_key: a, case_key: quick, payload: {word: abc}, expectations: [{key: out, kind: text, value: bca}], solution: {files: [{path: out.txt, content: cba}]}}
      - {challenge_key: a, case_key: slow, payload: {word: def}, expectations: [{key: out, kind: text, value: fed}], solution: {run: "sleep 61; printf fed > out.txt", timeout_seconds: 90}}
`;

/** True while a process with that text in its command line runs on this machine, in a sandbox or not. */
function isRunning(text: string): boolean {
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

/** An audit whose second solution sleeps, when the first one has ended. */
async function startedAudit(words: readonly string[] = []) {
  const cwd = emptyFolder();
  const seconds = `61.${process.pid}${started++}`;
  writeFileSync(path.join(cwd, 'slow.yaml'), SLOW.replace('sleep 61', `sleep ${seconds}`));
  const audit = startCommand(['challenge-pack', 'audit', 'slow.yaml', '--quick', ...words], { cwd });
  const isAsleep = () => isRunning(`sleep\0${seconds}`);
  await waitFor(() => isAsleep() && audit.stderr().includes('1 of 2 trials'), { timeoutMs: 60_000 });
  return { audit, cwd, isAsleep };
}
let started = 0;

describe('an audit of a file that is interrupted', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'it ends at %s with what was found, marked as incomplete in each form, and leaves no sandbox',
    async (signal) => {
      const { audit, cwd, isAsleep } = await startedAudit(['--json', '--junit', 'audit.xml']);
      audit.child.kill(signal);
      const { code, stdout, stderr } = await audit.ended;
      expect(code).toBe(EXIT_CODES.try_again);
      expect(isAsleep()).toBe(false);
      expect(stderr).toContain('Interrupted: what was found follows. Press Ctrl-C again to end at once.');
      const report = JSON.parse(stdout);
      expect(report).toMatchObject({ result: 'incomplete', interrupted: true });
      expect(report.checks.oracle).toMatchObject({ state: 'failed', cases: 1, passed: 0, trials: 1 });
      expect(report.checks.cheats).toMatchObject({ state: 'incomplete', trials: 0 });
      expect(report.findings.map(({ code: each }: { code: string }) => each)).toEqual([
        'solution_fails',
        'audit_interrupted',
      ]);
      const junit = readFileSync(path.join(cwd, 'audit.xml'), 'utf8');
      expect(junit).toContain('name="solution_fails default/quick"');
      expect(junit).toContain('<error type="audit_interrupted" message="The audit was interrupted');
    },
  );

  test('a person reads the findings, and that it was interrupted', async () => {
    const { audit } = await startedAudit();
    audit.child.kill('SIGINT');
    const { stdout } = await audit.ended;
    expect(stdout).toContain('error solution_fails default/quick The solution does not pass');
    expect(stdout).toContain('interrupted: solutions pass 0 of 1 case');
    expect(stdout).toContain('audit interrupted, incomplete slow version 1: 2 cases');
  });

  test('publish --require-audit publishes nothing, and ends the same way', async () => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, 'slow.yaml'), SLOW);
    const publish = startCommand(['challenge-pack', 'publish', 'slow.yaml', '--require-audit'], { cwd });
    await waitFor(() => publish.stderr().includes('solutions'), { timeoutMs: 60_000 });
    publish.child.kill('SIGINT');
    const { code, stdout } = await publish.ended;
    expect(code).toBe(EXIT_CODES.try_again);
    expect(stdout).toContain('Nothing was published.');
  });
});

describe('an audit of a file that is not valid', () => {
  test('its JUnit file has a failure for each problem', async () => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, 'broken.yaml'), 'pack: {slug: A B}\n');
    const words = ['challenge-pack', 'audit', 'broken.yaml', '--junit', 'audit.xml', '--json'];
    const { code, stdout } = await command(words, { cwd });
    const { errors } = JSON.parse(stdout);
    expect(code).toBe(EXIT_CODES.usage);
    const junit = readFileSync(path.join(cwd, 'audit.xml'), 'utf8');
    const failures = errors.filter(({ severity }: { severity: string }) => severity === 'error').length;
    expect(junit).toContain(`<testsuites tests="${errors.length}" failures="${failures}" errors="0"`);
    for (const problem of errors) {
      expect(junit).toContain(`name="${problem.code} ${problem.line}:${problem.column}"`);
    }
  });
});
