import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningService } from '@agentclash/service-kit';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { executorConfig, startSandboxExecutor } from '../index.js';
import { attemptPlan, graderPlan } from '../testing/assignments.js';
import { FakeRegistry } from '../testing/fake-registry.js';
import { FakeServices } from '../testing/fake-services.js';
import { isProcessRunning } from '../testing/processes.js';

jest.setTimeout(240_000);

const blobFolder = mkdtempSync(path.join(tmpdir(), 'agentclash-executor-'));
let services: FakeServices;
let registry: FakeRegistry;
let service: RunningService;
// Jest runs these hooks in the order of their calls: clients close before their servers.
afterAll(async () => {
  await service?.close();
  await registry?.close();
  await services?.close();
  rmSync(blobFolder, { recursive: true, force: true });
});
const nats = await freshNats();

async function startExecutor(more: Record<string, string> = {}): Promise<RunningService> {
  const environment = { NATS_URL: nats.url, BLOB_FOLDER: blobFolder, SANDBOX_MAX_CONCURRENT: '4', ...more };
  return await startSandboxExecutor(executorConfig(environment));
}

beforeAll(async () => {
  services = await FakeServices.open(nats.url);
  registry = await FakeRegistry.open(nats.url);
  service = await startExecutor();
}, 60_000);

interface Parts {
  mode?: 'native' | 'prompt_eval';
  /** Lines of validators. */
  validators?: readonly string[];
  cases?: number;
}

const EXPECTED =
  '{key: right, type: exact_match, target: final_output, expected_from: case.expectations.right}';

function packOf({ mode = 'prompt_eval', validators = [EXPECTED], cases = 1 }: Parts = {}): string {
  const rows = Array.from(
    { length: cases },
    (_, at) =>
      `{challenge_key: task, case_key: c${at}, payload: {n: ${at}}, expectations: [{key: right, kind: text, value: "result ${at}"}]}`,
  );
  return `
pack: {slug: audited, name: Audited, family: tests}
version:
  number: 1
  execution_mode: ${mode}
  evaluation_spec:
    name: audited
    version_number: 1
    judge_mode: deterministic
    post_execution_checks: [{key: made, type: file_capture, path: made.txt}]
    validators: [${validators.join(', ')}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: task, title: Task, category: tests, difficulty: easy, instructions: Reply., solution: {answer_from: case.expectations.right}}
input_sets: [{key: default, name: Default, cases: [${rows.join(', ')}]}]
`;
}

describe('an executor of audits', () => {
  test('an audit ends with a report on the cases, and the last progress is that of its trials', async () => {
    const audit = await registry.audit(packOf({ cases: 3 }));
    const end = await registry.ended(audit);
    expect(end).toMatchObject({
      report: {
        schema: 'agentclash.pack-audit/1',
        pack: { slug: 'audited', number: 1 },
        options: { quick: true, cases: 3, cases_total: 3 },
        checks: { idle: { state: 'passed', trials: 3 } },
      },
    });
  });

  test('a registry that is unavailable for a while delays an audit and does not fail it', async () => {
    const end = await registry.ended(await registry.audit(packOf(), { unavailableReads: 2 }));
    expect(end).toMatchObject({ report: { checks: { idle: { state: 'passed' } } } });
  });

  test('a pack on which an echo of the task passes fails its audit', async () => {
    const always = '{key: always, type: regex_match, target: final_output, expected_from: "literal:.*"}';
    const end = await registry.ended(await registry.audit(packOf({ validators: [always] })));
    expect(end).toMatchObject({ report: { result: 'failed', checks: { echo: { state: 'failed' } } } });
  });

  test('an executor that stops gives its audits back', async () => {
    await service.close();
    service = await startExecutor();
    const audit = await registry.audit(slowPack('1987'));
    await waitFor(() => isProcessRunning('sleep 1987'), { timeoutMs: 60_000 });
    await service.close();
    expect(audit.ends).toEqual([{ released: true }]);
    await waitFor(() => !isProcessRunning('sleep 1987'));
    service = await startExecutor();
  });

  test('the sandboxes of a cancelled audit end, and nothing is reported', async () => {
    const audit = await registry.audit(slowPack('1988'));
    await waitFor(() => isProcessRunning('sleep 1988'), { timeoutMs: 60_000 });
    audit.fate = 'cancelled';
    await waitFor(() => !isProcessRunning('sleep 1988'));
    const next = await registry.audit(packOf());
    await registry.ended(next);
    expect(audit.ends).toEqual([]);
  });

  test('attempts of other workspaces run and are verified while the graders of audits hold all turns of trials', async () => {
    await service.close();
    service = await startExecutor({ SANDBOX_CPU_SLOTS: '2' });
    const audits = [await registry.audit(slowPack('1990')), await registry.audit(slowPack('1990'))];
    await waitFor(() => isProcessRunning('sleep 1990'), { timeoutMs: 60_000 });
    const plans = Array.from({ length: 3 }, () =>
      attemptPlan({ kind: 'program', config: { command: ['true'] } }),
    );
    const code_executions = [{ validator_key: 'tests', test_command: 'true', timeout_ms: 60_000 }];
    for (const plan of plans) {
      const attempt = await services.assign(plan, graderPlan(plan, { code_executions }));
      expect(await services.finished(attempt)).toMatchObject({ outcome: 'completed' });
      expect(attempt.of('grader.verification.code_executed')).toMatchObject([{ exit_code: 0 }]);
    }
    expect(isProcessRunning('sleep 1990')).toBe(true);
    for (const audit of audits) audit.fate = 'cancelled';
    await waitFor(() => !isProcessRunning('sleep 1990'));
  });

  test('an audit that takes longer than it may ends as incomplete, with what it found and the next step', async () => {
    await service.close();
    // The time counts from the claim: the pack has to be read and planned in it, by threads that begin with this audit.
    service = await startExecutor({ AUDIT_TIMEOUT_SECONDS: '12' });
    const audit = await registry.audit(slowPack('1989'));
    expect(await registry.ended(audit)).toMatchObject({
      report: {
        result: 'incomplete',
        findings: expect.arrayContaining([
          expect.objectContaining({
            ...{ code: 'audit_interrupted', severity: 'missing' },
            message: expect.stringContaining('took longer than 12 seconds'),
            fix: expect.stringContaining('quick audit'),
          }),
        ]),
      },
    });
    await waitFor(() => !isProcessRunning('sleep 1989'));
  });
});

/** A pack whose grader takes its time. */
function slowPack(seconds: string): string {
  const tests = `{key: tests, type: code_execution, target: 'file:made', config: {test_command: "sleep ${seconds}", timeout_ms: 600000}}`;
  return packOf({ mode: 'native', validators: [tests] });
}
