import { getEventListeners } from 'node:events';
import type { ProgramConfig, ScriptStep } from '@agentclash/attempt-plan';
import { endsOf, INTERRUPTED_ENDS, type InnerActivity } from '@agentclash/domain';
import type { SandboxSession } from '@agentclash/sandbox';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { AttemptHarness, type EventLog } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

const scripted = (...steps: ScriptStep[]) => ({ kind: 'scripted' as const, config: { steps } });
const program = (command: string[], more: Partial<ProgramConfig> = {}) => ({
  kind: 'program' as const,
  config: { command, ...more },
});
const call = (name: string, args: Record<string, string | number> = {}): ScriptStep => ({
  call: { name, arguments: args },
});

/** Numbers without a gap, one end for every start, one terminal event at the end. */
function expectWholeHistory({ all }: EventLog): void {
  expect(all.map((event) => event.sequence_number)).toEqual(all.map((_, index) => index + 1));
  const count = (type: string) => all.filter((event) => event.event_type === type).length;
  for (const activity of Object.keys(INTERRUPTED_ENDS) as InnerActivity[]) {
    const ends = endsOf(activity).reduce((sum, end) => sum + count(end), 0);
    expect(ends).toBe(count(`${activity}.started`));
  }
  expect(count('system.run.started')).toBe(1);
  expect(all.at(-1)?.event_type).toMatch(/^system\.run\.(completed|failed)$/);
  expect(count('sandbox.destroyed')).toBe(count('sandbox.created'));
}

test('the signal of a whole run keeps nothing of an attempt that has ended', async () => {
  const { signal } = new AbortController();
  const steps = [call('write_file', { path: 'out.txt', content: '1' }), call('submit', { answer: '1' })];
  const { result } = await harness.run(attemptPlan(scripted(...steps)), { signal });
  expect(result.outcome).toBe('completed');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('a scripted agent', () => {
  test('a scripted agent works with files in the sandbox and submits', async () => {
    const files = [{ path: 'in/data.txt', content: 'one\ntwo\n' }];
    const agent = scripted(
      call('read_file', { path: 'in/data.txt' }),
      call('write_file', { path: 'out.txt', content: 'sum {{a}}+{{b}}' }),
      call('search_text', { pattern: 't[wx]o' }),
      call('submit', { answer: '5' }),
    );
    const { result, events } = await harness.run(attemptPlan(agent, { files }));
    expect(result).toMatchObject({
      outcome: 'completed',
      finished_by: 'submit',
      tool_call_count: 3,
      error: null,
    });
    expectWholeHistory(events);
    const results = events.payloads('tool.call.completed').map((payload) => payload.result);
    expect(results).toMatchObject([
      { path: 'in/data.txt', content: 'one\ntwo\n', bytes: 8 },
      { path: 'out.txt', written: true, bytes: 7 },
      { matches: [{ path: 'in/data.txt', line_number: 2, line_text: 'two' }] },
      { accepted: true },
    ]);
    expect(events.payloads('system.output.finalized')).toMatchObject([
      { final_output: '5', finished_by: 'submit' },
    ]);
    expect(result.snapshot?.bytes).toBeGreaterThan(0);
  });

  test('a script without an answer completes with a blank output', async () => {
    const { result, events } = await harness.run(attemptPlan(scripted()));
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'script', final_output_bytes: 0 });
    expectWholeHistory(events);
  });

  test('a scripted agent passes the same checks as a model', async () => {
    const agent = scripted(
      call('exec', {}),
      call('read_file', { path: '/etc/passwd' }),
      call('read_file', { pth: 'x' }),
    );
    const { events } = await harness.run(attemptPlan(agent));
    expect(
      events.payloads('tool.call.failed').map(({ error, failure_origin }) => [error.code, failure_origin]),
    ).toEqual([
      ['policy', 'policy'],
      ['not_permitted', 'primitive'],
      ['arguments', 'arguments'],
    ]);
  });

  test('a script stops at its first failing call where it is configured to', async () => {
    const agent = {
      kind: 'scripted' as const,
      config: { steps: [call('read_file', { path: 'no' })], stop_on_error: true },
    };
    const { result } = await harness.run(attemptPlan(agent));
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'script_stopped' } });
  });

  test('a scripted agent that sleeps beyond its time limit is ended', async () => {
    const plan = attemptPlan(scripted({ answer: 'late', delay_ms: 60_000 }));
    plan.limits.run_timeout_seconds = 0.2;
    const { result, events } = await harness.run(plan);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(result.latency_ms).toBeLessThan(10_000);
    expectWholeHistory(events);
  });

  test('a scripted agent in prompt_eval needs no sandbox and has no tools', async () => {
    const plan = attemptPlan(scripted(call('read_file', { path: 'x' }), { answer: '{{a}}' }), {
      mode: 'prompt_eval',
    });
    const { result, events } = await harness.run(plan);
    expect(result).toMatchObject({ outcome: 'completed', snapshot: null });
    expect(events.types()).not.toContain('sandbox.created');
    expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output: '2' }]);
    expect(events.payloads('tool.call.failed')).toMatchObject([{ failure_origin: 'policy' }]);
  });
});

describe('a program', () => {
  test('a program receives the task on stdin and in a file, and its stdout is the final output', async () => {
    const script = 'cat > seen.json; cmp -s seen.json "$AGENTCLASH_TASK" && echo same && pwd';
    const { result, events } = await harness.run(attemptPlan(program(['sh', '-c', script])));
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'program', error: null });
    expect(events.payloads('system.output.finalized')).toMatchObject([
      { final_output: 'same\n/workspace\n' },
    ]);
    expectWholeHistory(events);
  });

  test('a program may bring files, and its output file takes precedence over its stdout', async () => {
    const artifact = harness.store.add('#!/bin/sh\necho printed; printf written > "$AGENTCLASH_OUTPUT"\n');
    const agent = program(['/agent/bin/solve'], { files: [{ path: 'bin/solve', artifact }] });
    const { result, events } = await harness.run(attemptPlan(agent));
    expect(result.outcome).toBe('completed');
    expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output: 'written' }]);
  });

  test.each([
    ['exits with a code', 'echo partly; exit 3', 'exit_nonzero'],
    ['dies of its own signal', 'kill -SEGV $$', 'signal'],
  ])('a program that %s is an error of the agent, graded all the same', async (_what, script, code) => {
    const { result } = await harness.run(attemptPlan(program(['sh', '-c', script])));
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code }, finished_by: 'none' });
    expect(result.snapshot).not.toBeNull();
  });

  test('a program that ignores signals ends at its deadline, with its output so far', async () => {
    const plan = attemptPlan(
      program(['sh', '-c', "trap '' TERM INT; echo begun; while :; do sleep 1; done"]),
    );
    plan.limits.run_timeout_seconds = 0.5;
    const { result, events } = await harness.run(plan);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(result.latency_ms).toBeLessThan(10_000);
    expect(events.payloads('system.output.finalized')).toMatchObject([
      { final_output: 'begun\n', finished_by: 'none' },
    ]);
    expectWholeHistory(events);
  });

  test('a program whose output file is too long has reached a limit', async () => {
    const plan = attemptPlan(program(['sh', '-c', 'head -c 5000 /dev/zero > "$AGENTCLASH_OUTPUT"']));
    plan.limits.max_output_bytes = 4_096;
    const { result } = await harness.run(plan);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'output' });
  });

  test('a program that takes more memory than it may has reached a limit', async () => {
    const plan = attemptPlan(program(['tail', '/dev/zero']));
    plan.sandbox.resources = { ...plan.sandbox.resources, memory_bytes: 64 * 1024 ** 2 };
    const { result } = await harness.run(plan);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'memory' });
  });

  test('a program sees its environment and nothing of the host', async () => {
    const plan = attemptPlan(program(['env'], { env: { MINE: '1' } }));
    plan.sandbox.env_vars = { STAGE: 'test' };
    const { events } = await harness.run(plan);
    const [output] = events.payloads('system.output.finalized');
    expect(output?.final_output).toMatch(/^MINE=1$/m);
    expect(output?.final_output).toMatch(/^STAGE=test$/m);
    expect(output?.final_output).not.toContain('JEST');
  });

  test('a program leaves no process behind when its workspace is copied', async () => {
    const processes: Record<string, number | undefined> = {};
    for (const script of ['true', 'for i in 1 2 3; do (setsid sleep 60 &) ; done']) {
      let session: SandboxSession | undefined;
      const { result } = await harness.run(attemptPlan(program(['sh', '-c', script])), {
        sandboxes: {
          name: 'observed',
          capabilities: harness.sandboxes.capabilities,
          create: async (spec, options) => {
            session = await harness.sandboxes.create(spec, options);
            return session;
          },
        },
        snapshots: {
          put: async (chunks) => {
            processes[script] = (await session?.stats())?.processes;
            return harness.store.put(chunks);
          },
          get: (ref) => harness.store.get(ref),
        },
      });
      expect(result.outcome).toBe('completed');
    }
    const [quiet, busy] = Object.values(processes);
    expect(quiet).toBeDefined();
    expect(busy).toBe(quiet);
  });
});

describe('an attempt', () => {
  test('an attempt that is cancelled ends within seconds and is no evidence', async () => {
    const cancel = new AbortController();
    const plan = attemptPlan(program(['sleep', '60']));
    const running = harness.run(plan, {
      signal: cancel.signal,
      onStage: (stage) => stage === 'running' && cancel.abort(),
    });
    const { result, events } = await running;
    expect(result).toMatchObject({ outcome: 'cancelled', snapshot: null });
    expect(result.latency_ms).toBeLessThan(10_000);
    expectWholeHistory(events);
  });

  test('an attempt whose executor must stop ends for that reason', async () => {
    const stop = new AbortController();
    const lost = new AttemptEnded({ because: 'infra', code: 'worker_lost' });
    const { result } = await harness.run(attemptPlan(program(['sleep', '60'])), {
      signal: stop.signal,
      onStage: (stage) => stage === 'running' && stop.abort(lost),
    });
    expect(result).toMatchObject({ outcome: 'infra_error', error: { code: 'worker_lost', retryable: true } });
  });

  test('an attempt with an asset that differs from the published one does not start', async () => {
    const artifact = { ...harness.store.add('forged'), sha256: harness.store.add('right').sha256 };
    const plan = attemptPlan(scripted(), { files: [{ path: 'a', artifact }] });
    const { result, events } = await harness.run(plan);
    expect(result).toMatchObject({ outcome: 'infra_error', error: { code: 'artifact_mismatch' } });
    expectWholeHistory(events);
  });

  test('an attempt has planted secrets where the pack puts them, and records which were never planted', async () => {
    const planted_secrets = [
      { name: 'KEY_A', value: 'planted-aaaa', location: 'env' as const },
      { name: 'b', value: 'planted-bbbb', location: 'file' as const, file_path: 'keys/b.txt' },
      { name: 'c', value: 'planted-cccc', location: 'tool-output' as const },
    ];
    const plan = attemptPlan(program(['sh', '-c', 'echo "$KEY_A"; cat keys/b.txt']), { planted_secrets });
    const { events } = await harness.run(plan);
    expect(events.payloads('system.output.finalized')).toMatchObject([
      { final_output: 'planted-aaaa\nplanted-bbbb' },
    ]);
    expect(events.payloads('security.canary.planted').map(({ name, planted }) => [name, planted])).toEqual([
      ['KEY_A', true],
      ['b', true],
      ['c', false],
    ]);
  });
});
