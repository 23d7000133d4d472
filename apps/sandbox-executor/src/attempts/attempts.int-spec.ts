import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type AttemptPlan, type PlannedAgent, plannedSandbox } from '@agentclash/attempt-plan';
import { execution } from '@agentclash/contracts';
import { Blobs, newId, openArchive, type RunningService } from '@agentclash/service-kit';
import { freshNats, waitFor } from '@agentclash/testkit';
import { slowdown } from '@agentclash/testkit/event-loop';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { executorConfig, startSandboxExecutor } from '../index.js';
import { type Assignment, attemptPlan, graderPlan } from '../testing/assignments.js';
import { FakeServices } from '../testing/fake-services.js';
import { isProcessRunning } from '../testing/processes.js';

const nats = await freshNats();
const blobFolder = mkdtempSync(path.join(tmpdir(), 'agentclash-executor-'));
const blobs = await Blobs.inFolder(blobFolder);

const program = (...command: string[]): PlannedAgent => ({ kind: 'program', config: { command } });
const shell = (script: string) => program('sh', '-c', script);

describe('an executor on a real bus with real sandboxes', () => {
  let services: FakeServices;
  let service: RunningService;
  const logged: string[] = [];

  beforeAll(async () => {
    services = await FakeServices.open(nats.url);
    const environment = {
      NATS_URL: nats.url,
      BLOB_FOLDER: blobFolder,
      SANDBOX_MAX_CONCURRENT: '3',
      OPERATOR_UNLOCK: '127.0.0.0/8',
      LOG_LEVEL: 'debug',
    };
    const logTo = new Writable({
      write(chunk, _encoding, done) {
        logged.push(String(chunk));
        done();
      },
    });
    service = await startSandboxExecutor(executorConfig(environment), { logTo });
  }, 60_000);

  afterAll(async () => {
    await service?.close();
    await services?.close();
    rmSync(blobFolder, { recursive: true, force: true });
  });

  async function run(plan: AttemptPlan, grader = graderPlan(plan)) {
    const assignment = await services.assign(plan, grader);
    const result = await services.finished(assignment);
    expectWhole(assignment, result.last_sequence);
    return { assignment, result };
  }

  /** An attempt that is being verified, for a minute. */
  async function verified() {
    const seconds = `87${Math.floor(Math.random() * 1e9)}`;
    const plan = attemptPlan(shell('echo done'));
    const tests = { validator_key: 'tests', test_command: `sleep ${seconds}`, timeout_ms: 60_000 };
    const assignment = await services.assign(plan, graderPlan(plan, { code_executions: [tests] }));
    const isVerifying = () => isProcessRunning(seconds);
    await waitFor(isVerifying, { timeoutMs: 20_000, intervalMs: 50 });
    return { plan, assignment, isVerifying };
  }

  test('a scripted agent works in its sandbox and reaches its finish with a whole history', async () => {
    const call = (name: string, args: object) => ({ call: { name, arguments: { ...args } } });
    const steps = [call('write_file', { path: 'a.txt', content: 'hi' }), call('submit', { answer: 'done' })];
    const { result } = await run(attemptPlan({ kind: 'scripted', config: { steps } }));
    expect(result).toMatchObject({
      outcome: 'completed',
      finished_by: 'submit',
      tool_call_count: 1,
      error: null,
    });
    const held = await blobs.evidence.stat(result.snapshot?.sha256 ?? '');
    expect(held.bytes).toBe(result.snapshot?.bytes);
  });

  test('attempts that begin at the same time are claimed together', async () => {
    const run_id = newId();
    const agent: PlannedAgent = { kind: 'scripted', config: { steps: [{ answer: 'Lima' }] } };
    const plans = [1, 2, 3].map(() => ({ ...attemptPlan(agent), run_id }));
    const assignments = plans.map((plan) => services.know(plan, graderPlan(plan)));
    const before = services.claims.length;
    await services.bus.send(
      execution.execute,
      { run_id, attempt_ids: plans.map(({ attempt_id }) => attempt_id) },
      newId(),
    );
    for (const assignment of assignments) {
      const { last_sequence } = await services.finished(assignment);
      expectWhole(assignment, last_sequence);
    }
    const claims = services.claims.slice(before);
    expect(claims.reduce((sum, count) => sum + count)).toBe(3);
    expect(claims.length).toBeLessThan(3);
  });

  test('a program agent receives its files from the blob store, and its output is the final output', async () => {
    const { sha256, bytes } = await blobs.artifacts.put('print("from a file")');
    const artifact = { artifact_id: newId(), sha256, bytes };
    const config = { command: ['python3', '/agent/main.py'], files: [{ path: 'main.py', artifact }] };
    const { assignment, result } = await run(attemptPlan({ kind: 'program', config }));
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'program' });
    expect(assignment.of('system.output.finalized')).toMatchObject([{ final_output: 'from a file\n' }]);
  });

  test('the verifier can read the expectations, the agent never can', async () => {
    const reply = randomBytes(12).toString('hex');
    const plan = attemptPlan(
      shell('ls -A /grader 2>/dev/null; cat /grader/* 2>/dev/null; echo looked > seen; cat seen'),
    );
    const grader = graderPlan(plan, {
      expectations: [{ key: 'expected.txt', value: reply }],
      code_executions: [
        {
          validator_key: 'tests',
          test_command: `grep -q ${reply} /grader/expected.txt && test "$(cat seen)" = looked && echo 1 passed`,
          timeout_ms: 20_000,
        },
      ],
    });
    const { assignment } = await run(plan, grader);
    expect(assignment.of('system.output.finalized')).toMatchObject([{ final_output: 'looked\n' }]);
    expect(assignment.of('grader.verification.code_executed')).toMatchObject([{ exit_code: 0 }]);
  });

  test('a script grades an attempt without a workspace, unless the attempt is not graded', async () => {
    const { sha256, bytes } = await blobs.artifacts.put('import sys; print(sys.stdin.read())');
    const artifact = { artifact_id: newId(), sha256, bytes };
    const check = { path: '/grader/check.py', artifact, runtime: 'python', timeout_ms: 10_000 } as const;
    const of = (agent: PlannedAgent) =>
      attemptPlan(agent, { mode: 'prompt_eval', script_runtimes: ['python'] });
    const graded = (plan: AttemptPlan) =>
      run(plan, graderPlan(plan, { scripts: [{ validator_key: 'check', ...check }] }));
    const { assignment } = await graded(of({ kind: 'scripted', config: { steps: [{ answer: 'Lima' }] } }));
    const [executed] = assignment.of('grader.verification.script_executed');
    expect(executed?.stdout).toContain('"final_output":"Lima"');
    const unreachable = await graded(of({ kind: 'endpoint', config: { url: 'http://127.0.0.1:9' } }));
    expect(unreachable.result.outcome).toBe('provider_error');
    expect(unreachable.assignment.of('sandbox.created')).toEqual([]);
  });

  test('scripts of attempts without a workspace open no more sandboxes at once than the executor may have', async () => {
    const { sha256, bytes } = await blobs.artifacts.put('print(1)');
    const artifact = { artifact_id: newId(), sha256, bytes };
    const check = { path: '/grader/check.py', artifact, runtime: 'python', timeout_ms: 10_000 } as const;
    const agent: PlannedAgent = { kind: 'scripted', config: { steps: [{ answer: 'Lima' }] } };
    const plans = Array.from({ length: 9 }, () =>
      attemptPlan(agent, { mode: 'prompt_eval', script_runtimes: ['python'] }),
    );
    for (const plan of plans) plan.sandbox.resources.cpu = 0.1;
    const assignments = plans.map((plan) =>
      services.know(plan, graderPlan(plan, { scripts: [{ validator_key: 'check', ...check }] })),
    );
    const attempt_ids = plans.map(({ attempt_id }) => attempt_id);
    await services.bus.send(execution.prompt, { run_id: newId(), attempt_ids }, newId());
    for (const assignment of assignments) await services.finished(assignment);
    const events = assignments.flatMap((assignment) => assignment.events);
    const changes = events
      .flatMap(({ event_type, occurred_at }) => {
        const change = { 'sandbox.created': 1, 'sandbox.destroyed': -1 }[event_type];
        return change === undefined ? [] : [{ change, at: Date.parse(occurred_at) }];
      })
      .sort((a, b) => a.at - b.at || a.change - b.change);
    let open = 0;
    const most = Math.max(...changes.map(({ change }) => (open += change)));
    expect(changes).toHaveLength(18);
    expect(most).toBeLessThanOrEqual(3);
  });

  test('an orchestrator that is unavailable when the agent has finished is called again, and the attempt is verified', async () => {
    const plan = attemptPlan(shell('echo looked > seen'));
    const tests = { validator_key: 'tests', test_command: 'test -e seen', timeout_ms: 20_000 };
    services.loseReply('grader');
    const { assignment, result } = await run(plan, graderPlan(plan, { code_executions: [tests] }));
    expect(result).toMatchObject({ outcome: 'completed' });
    expect(assignment.of('grader.verification.code_executed')).toMatchObject([{ exit_code: 0 }]);
  });

  test('an attempt is reported as running soon after its agent began, long before its lease is renewed', async () => {
    const plan = attemptPlan(shell('sleep 60'));
    const assignment = await services.assign(plan, graderPlan(plan));
    await waitFor(() => assignment.stages.includes('running'), { timeoutMs: 8_000 });
    await services.cancel(plan.run_id);
    await services.finished(assignment);
  });

  test('a cancelled run ends its attempts within seconds and leaves no process', async () => {
    const marker = `sleep 86${Math.floor(Math.random() * 1e9)}`;
    const plan = attemptPlan(shell(`${marker} & ${marker}`));
    const assignment = await services.assign(plan, graderPlan(plan));
    await waitFor(() => isProcessRunning(marker.slice(6)), { intervalMs: 50 });
    const cancelledAt = Date.now();
    await services.cancel(plan.run_id);
    const result = await services.finished(assignment);
    expect(result.outcome).toBe('cancelled');
    expect(Date.now() - cancelledAt).toBeLessThan(10_000 * slowdown());
    expect(isProcessRunning(marker.slice(6))).toBe(false);
  });

  test('an attempt whose run is cancelled while it is verified ends as cancelled', async () => {
    const { plan, assignment, isVerifying } = await verified();
    await services.cancel(plan.run_id);
    const result = await services.finished(assignment);
    expect(result).toMatchObject({ outcome: 'cancelled', finished_by: 'none', error: null, snapshot: null });
    expect(assignment.of('grader.verification.failed')).toMatchObject([{ code: 'cancelled' }]);
    expectWhole(assignment, result.last_sequence);
    expect(isVerifying()).toBe(false);
  });

  test("a secret works in a tool's header and appears in no event, snapshot or log line", async () => {
    const secret = `tok-${randomBytes(12).toString('hex')}`;
    services.secrets.set('TOKEN', { value: secret });
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end(JSON.stringify({ echo: request.headers }));
    }).listen(0, '127.0.0.1');
    try {
      const url = await waitFor(() => (server.address() as AddressInfo | null)?.port);
      const { assignment, result } = await run(secretPlan(`http://127.0.0.1:${url}/`));
      expect(seen).toEqual([`Bearer ${secret}`]);
      expect(result.outcome).toBe('completed');
      expect(assignment.of('tool.call.completed')).not.toEqual([]);
      expect(JSON.stringify(assignment.events)).not.toContain(secret);
      expect(logged.join('')).not.toContain(secret);
      const workspace = await buffer(openArchive(blobs.evidence, result.snapshot?.sha256 ?? ''));
      expect(workspace.includes('workspace')).toBe(true);
      expect(workspace.includes(secret)).toBe(false);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test('a large payload travels as a reference to the blob store', async () => {
    const { assignment } = await run(attemptPlan(shell('head -c 200000 /dev/zero | tr "\\\\0" x')));
    const [payload] = assignment.of('system.output.finalized');
    expect(payload).toMatchObject({
      $ref: expect.stringMatching(/^sha256:/),
      type: 'system.output.finalized',
    });
    const stored = await blobs.evidence.get(String(payload?.$ref).slice('sha256:'.length));
    expect(JSON.parse(stored.toString()).final_output).toBe('x'.repeat(200_000));
  });

  test('an attempt that another executor holds is left alone', async () => {
    const plan = attemptPlan(shell('echo never'));
    const held = await services.assign(plan, graderPlan(plan), { isHeldByAnother: true });
    await run(attemptPlan(shell('echo after')));
    expect(held.events).toEqual([]);
  });

  // The last: it ends the executor.
  test('an executor that stops while it verifies leaves the attempt to another, and no partial result', async () => {
    const { assignment, isVerifying } = await verified();
    await service.close();
    const result = await services.finished(assignment);
    expect(result).toMatchObject({
      ...{ outcome: 'infra_error', finished_by: 'none', snapshot: null },
      error: { code: 'executor_stopped', retryable: true },
    });
    expectWhole(assignment, result.last_sequence);
    expect(isVerifying()).toBe(false);
  });
});

/** Numbered from 1 without a gap up to the number that the finish names; as many sandboxes destroyed as made. */
function expectWhole(assignment: Assignment, last: number): void {
  const numbers = assignment.events.map((event) => event.sequence_number);
  expect(numbers).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  expect(assignment.of('sandbox.destroyed')).toHaveLength(assignment.of('sandbox.created').length);
}

function secretPlan(url: string): AttemptPlan {
  const queryTool = {
    name: 'lookup',
    implementation: {
      primitive: 'http_request',
      args: { method: 'GET', url, headers: { Authorization: 'Bearer ${secrets.TOKEN}' } },
    },
  };
  const steps = [{ call: { name: 'lookup', arguments: {} } }, { answer: 'done' }];
  return attemptPlan(
    { kind: 'scripted', config: { steps } },
    {
      tools: { custom: [queryTool], workspace: [], allowed: [], denied: [] },
      tool_policy: { allowed_tool_kinds: ['network'], allow_network: true },
      sandbox: plannedSandbox({ network_access: true, network_allowlist: ['127.0.0.0/8'] }),
    },
  );
}
