import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AttemptPlan, PlannedPhase, ScriptStep } from '@agentclash/attempt-plan';
import { Blobs, type RunningService } from '@agentclash/service-kit';
import { freshNats, waitFor } from '@agentclash/testkit';
import { slowdown } from '@agentclash/testkit/event-loop';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { executorConfig, startSandboxExecutor } from '../index.js';
import { type Assignment, attemptPlan, graderPlan } from '../testing/assignments.js';
import { FakeServices } from '../testing/fake-services.js';
import { isProcessRunning, killSandboxOf } from '../testing/processes.js';

const nats = await freshNats();
const blobFolder = mkdtempSync(path.join(tmpdir(), 'agentclash-executor-'));
await Blobs.inFolder(blobFolder);

/** The agent writes a file before it waits and reads it afterwards. */
const STEPS: ScriptStep[] = [
  { call: { name: 'write_file', arguments: { path: 'kept.txt', content: 'kept' } } },
  { message: 'What now?' },
  { call: { name: 'read_file', arguments: { path: 'kept.txt' } } },
  { message: 'Done.' },
  { message: 'Also done.' },
];

interface Talk {
  timeout_ms?: number;
  on_timeout?: 'stop' | 'fail';
  opening?: string;
  /** Seconds that a process of the agent sleeps meanwhile. */
  sleeper?: string;
}

function talkPlan(loop: Talk = {}): AttemptPlan {
  const { timeout_ms = 60_000, on_timeout = 'stop', opening = 'Hi.', sleeper } = loop;
  const sleep = ['sh', '-c', `sleep ${sleeper} > /dev/null 2>&1 &`];
  const steps =
    sleeper === undefined ? STEPS : [{ call: { name: 'exec', arguments: { command: sleep } } }, ...STEPS];
  const phases: PlannedPhase[] = [
    { id: 'open', trigger: 'always', actor: 'scripted', turns: [{ message: opening, expects: [] }] },
    { id: 'question', trigger: 'always', actor: 'human', timeout_ms, on_timeout },
    { id: 'extra', trigger: 'manual', actor: 'scripted', turns: [{ message: 'More.', expects: [] }] },
  ];
  return attemptPlan(
    { kind: 'scripted', config: { steps } },
    {
      tool_policy: { allow_shell: true },
      mode: 'multi_turn',
      conversation: { turns_max: 50, phases, requested_phases: [], human_turns: [] },
    },
  );
}

describe('an executor with a single permit', () => {
  let services: FakeServices;
  let service: RunningService;

  const startExecutor = async () => {
    const environment = { NATS_URL: nats.url, BLOB_FOLDER: blobFolder, SANDBOX_MAX_CONCURRENT: '1' };
    service = await startSandboxExecutor(executorConfig({ ...environment, LOG_LEVEL: 'fatal' }));
  };

  beforeAll(async () => {
    services = await FakeServices.open(nats.url);
    await startExecutor();
  }, 60_000);

  afterAll(async () => {
    await service?.close();
    await services?.close();
    rmSync(blobFolder, { recursive: true, force: true });
  });

  /** Dispatches an attempt and waits for the event of its turn; by then the state has to be stored. */
  async function untilParked(loop?: Talk): Promise<Assignment> {
    const plan = talkPlan(loop);
    const assignment = await services.assign(plan, graderPlan(plan));
    await waitFor(
      () => {
        const isReceived = assignment.of('turn.awaiting_human').length > 0;
        if (isReceived) expect(assignment.parked).toBeDefined();
        return isReceived;
      },
      { timeoutMs: 20_000 },
    );
    return assignment;
  }

  test('an executor runs another attempt while one is parked, and resumes in the parked sandbox', async () => {
    const waiting = await untilParked();
    expect(waiting.parked?.awaits).toMatchObject({
      turn_index: 1,
      phase_id: 'question',
      last_message: 'What now?',
    });
    const plan = attemptPlan({ kind: 'scripted', config: { steps: [{ answer: 'meanwhile' }] } });
    expect(await services.finished(await services.assign(plan, graderPlan(plan)))).toMatchObject({
      outcome: 'completed',
    });
    expect(waiting.result).toBeUndefined();
    await services.giveTurn(waiting, 'Continue.');
    const result = await services.finished(waiting);
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'conversation' });
    expectWhole(waiting, result.last_sequence);
    expect(waiting.of('sandbox.created')).toHaveLength(1);
    expect(waiting.of('tool.call.completed').at(-1)).toMatchObject({ result: { content: 'kept' } });
    expect(waiting.of('turn.user.message').at(-1)).toMatchObject({ actor: 'human', message: 'Continue.' });
    expect(waiting.of('turn.phase.skipped')).toMatchObject([{ phase_id: 'extra' }]);
  });

  test('every resumed attempt waits for a permit', async () => {
    const waiting = [await untilParked(), await untilParked(), await untilParked()];
    await Promise.all(waiting.map((each) => services.giveTurn(each, 'Continue.')));
    const results = await Promise.all(waiting.map((each) => services.finished(each)));
    expect(results.map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed']);
  });

  test('a manual phase that was requested while the attempt was parked is played', async () => {
    const waiting = await untilParked();
    waiting.requestedPhases.add('extra');
    await services.giveTurn(waiting, 'Continue.');
    await services.finished(waiting);
    expect(waiting.of('turn.user.message').map(({ phase_id }) => phase_id)).toEqual([
      'open',
      'question',
      'extra',
    ]);
  });

  test('a long conversation is stored and resumed whole', async () => {
    const opening = 'x'.repeat(600_000);
    const waiting = await untilParked({ opening });
    expect(JSON.stringify(waiting.parked?.state).length).toBeLessThan(1_000);
    await services.giveTurn(waiting, 'Continue.');
    expect(await services.finished(waiting)).toMatchObject({ outcome: 'completed' });
  });

  test.each([
    ['stop', { outcome: 'completed', finished_by: 'conversation' }],
    ['fail', { outcome: 'cancelled' }],
  ] as const)('a human turn that times out ends as the pack sets it: %s', async (on_timeout, ended) => {
    const waiting = await untilParked({ timeout_ms: 500, on_timeout });
    const result = await services.finished(waiting);
    expect(result).toMatchObject(ended);
    expectWhole(waiting, result.last_sequence);
    expect(waiting.of('conversation.completed')).toMatchObject([{ stop_reason: 'human_turn_timeout' }]);
  });

  test('the renewal of its lease resumes an attempt whose message was lost', async () => {
    const waiting = await untilParked();
    waiting.message = 'Continue.';
    expect(await services.finished(waiting)).toMatchObject({ outcome: 'completed' });
  });

  test('a parked attempt ends at once when its run is cancelled', async () => {
    const waiting = await untilParked();
    waiting.isCancelled = true;
    const cancelledAt = Date.now();
    await services.cancel(waiting.plan.run_id);
    const result = await services.finished(waiting);
    expect(result).toMatchObject({ outcome: 'cancelled', snapshot: null });
    expect(Date.now() - cancelledAt).toBeLessThan(10_000 * slowdown());
    expectWhole(waiting, result.last_sequence);
  });

  test('the sandbox of a parked attempt that belongs to another executor is destroyed', async () => {
    const sleeper = `88${Math.floor(Math.random() * 1e9)}`;
    const waiting = await untilParked({ sleeper });
    await waitFor(() => isProcessRunning(sleeper));
    waiting.isLost = true;
    await waitFor(() => !isProcessRunning(sleeper), { timeoutMs: 20_000 });
    expect(waiting.result).toBeUndefined();
  });

  test('a parked attempt whose sandbox is lost ends retryably', async () => {
    const sleeper = `89${Math.floor(Math.random() * 1e9)}`;
    const waiting = await untilParked({ sleeper });
    await waitFor(() => isProcessRunning(sleeper));
    killSandboxOf(sleeper);
    const result = await services.finished(waiting);
    expect(result).toMatchObject({ outcome: 'infra_error', error: { retryable: true }, snapshot: null });
    expectWhole(waiting, result.last_sequence);
  });

  test('an executor that stops is deregistered, then gives its parked attempts back and leaves no sandbox', async () => {
    const waiting = [await untilParked(), await untilParked()];
    const requests = services.watchShutdown();
    await service.close();
    expect(requests.slice(0, 2)).toEqual(['leave', 'resume']);
    expect(requests.filter((each) => each !== 'finish')).toEqual(['leave', 'resume', 'resume']);
    expect(requests.at(-1)).toBe('finish');
    for (const each of waiting) {
      const result = await services.finished(each);
      expect(result).toMatchObject({
        outcome: 'infra_error',
        error: { code: 'executor_stopped', retryable: true },
      });
      expectWhole(each, result.last_sequence);
    }
    await startExecutor();
  });
});

/** Numbered from 1 without a gap up to the number that the finish names; as many sandboxes destroyed as made. */
function expectWhole(assignment: Assignment, last: number): void {
  const numbers = assignment.events.map((event) => event.sequence_number);
  expect(numbers).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  expect(assignment.of('sandbox.destroyed')).toHaveLength(assignment.of('sandbox.created').length);
}
