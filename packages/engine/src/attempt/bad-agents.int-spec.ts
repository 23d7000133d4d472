import { DEFAULT_LIMITS, type PlannedAgent } from '@agentclash/attempt-plan';
import { type AttemptLimits, endsOf, INTERRUPTED_ENDS, type InnerActivity } from '@agentclash/domain';
import { ModelCallError } from '@agentclash/models';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness, type EventLog } from '../testing/attempt-harness.js';
import { FakeModel, type FakeReply, fakeModels, modelConfig } from '../testing/fake-model.js';
import { attemptPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());
afterEach(() => expect(harness.leftovers()).toEqual([]));

/** However it ended, its history is whole. */
function expectWholeHistory({ all }: EventLog): void {
  const numbered = all.filter(({ event_type }) => event_type !== 'model.output.delta');
  expect(numbered.map((event) => event.sequence_number)).toEqual(numbered.map((_, index) => index + 1));
  const count = (type: string) => all.filter((event) => event.event_type === type).length;
  for (const activity of Object.keys(INTERRUPTED_ENDS) as InnerActivity[]) {
    const ends = endsOf(activity).reduce((sum, end) => sum + count(end), 0);
    expect(ends).toBe(count(`${activity}.started`));
  }
  expect(all.at(-1)?.event_type).toMatch(/^system\.run\.(completed|failed)$/);
}

describe('a model that', () => {
  async function run(replies: FakeReply[], limits: Partial<AttemptLimits> = {}) {
    const model = new FakeModel(replies, 'agent');
    const agent: PlannedAgent = { kind: 'model', config: modelConfig('agent') };
    const plan = attemptPlan(agent, { limits: { ...DEFAULT_LIMITS, run_timeout_seconds: 20, ...limits } });
    const attempt = await harness.run(plan, { openModel: fakeModels(model) });
    expectWholeHistory(attempt.events);
    return { ...attempt, model };
  }

  test('an agent that replies with prose only completes with its second message', async () => {
    const { result, events } = await run([{ text: 'Let me think.' }, { text: 'It is five.' }]);
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'message' });
    expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output: 'It is five.' }]);
  });

  test('a model that calls unknown tools for ever ends as a policy violation', async () => {
    const { result, events } = await run([{ calls: [{ name: 'teleport', args: {} }] }]);
    expect(result).toMatchObject({ outcome: 'policy_violation', tool_call_count: 25 });
    expect(events.payloads('tool.call.failed')).toHaveLength(25);
  });

  test('an agent whose arguments are no JSON receives an error until its iterations are spent', async () => {
    const { result, model } = await run([{ calls: [{ name: 'read_file', args: '{"path": ' }] }], {
      max_iterations: 4,
    });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'iterations', tool_call_count: 4 });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      result: { error: expect.any(String), code: 'arguments' },
    });
  });

  test('a model that makes 500 calls at once has them all served in order', async () => {
    const calls = Array.from({ length: 500 }, (_, index) => ({
      name: 'read_file',
      args: { path: `f${index}` },
    }));
    const { result, events } = await run([
      { calls },
      { calls: [{ name: 'submit', args: { answer: 'ok' } }] },
    ]);
    expect(result).toMatchObject({ outcome: 'completed', tool_call_count: 500 });
    expect(
      events
        .payloads('tool.call.started')
        .slice(0, 500)
        .map(({ arguments: args }) => args),
    ).toEqual(calls.map(({ args }) => args));
  });

  test('a model that makes 500 calls with a budget of ten gets ten, and one more reply', async () => {
    const calls = Array.from({ length: 500 }, () => ({ name: 'list_files', args: {} }));
    const { result, events } = await run([{ calls }], { max_tool_calls: 10 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'tool_calls', tool_call_count: 10 });
    const refused = events.payloads('tool.call.failed').map(({ error }) => error.code);
    expect(refused).toEqual(Array.from({ length: 491 }, () => 'budget'));
  });

  test('an agent that replies with 5 MB reaches a limit; a submit of that size is refused', async () => {
    const long = 'x'.repeat(5 * 1024 * 1024);
    const viaMessage = await run([{ text: long }]);
    expect(viaMessage.result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'output' });
    const submit = (answer: string): FakeReply => ({ calls: [{ name: 'submit', args: { answer } }] });
    const submitted = await run([submit(long), submit('short')]);
    expect(submitted.result).toMatchObject({ outcome: 'completed', finished_by: 'submit' });
    expect(submitted.events.payloads('tool.call.failed')).toMatchObject([{ error: { code: 'arguments' } }]);
  });

  test('a model that never replies ends at its time limit', async () => {
    const { result } = await run([{ before: () => new Promise(() => undefined) }], {
      run_timeout_seconds: 0.3,
    });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(result.latency_ms).toBeLessThan(5_000);
  });

  test('a filtered model fails as the agent, one whose provider fails does not', async () => {
    const filtered = await run([{ finishReason: 'content_filter' }]);
    expect(filtered.result).toMatchObject({ outcome: 'agent_error', error: { code: 'content_filter' } });
    const details = { tries: 3, timing: { queued_ms: 0, ttft_ms: null, total_ms: 1 } };
    const before = () => {
      throw new ModelCallError('unavailable', 'the provider is unavailable', details);
    };
    const failed = await run([{ before }]);
    expect(failed.result).toMatchObject({
      outcome: 'provider_error',
      error: { code: 'unavailable', retryable: true },
    });
  });
});

describe('a program that', () => {
  async function run(script: string, limits: Partial<AttemptLimits> = {}) {
    const agent: PlannedAgent = { kind: 'program', config: { command: ['sh', '-c', script] } };
    const plan = attemptPlan(agent, { limits: { ...DEFAULT_LIMITS, run_timeout_seconds: 30, ...limits } });
    plan.sandbox.resources = { ...plan.sandbox.resources, pids: 64 };
    const attempt = await harness.run(plan);
    expectWholeHistory(attempt.events);
    return attempt;
  }

  test('a program that never exits ends at its time limit', async () => {
    const { result } = await run('sleep 1000', { run_timeout_seconds: 0.3 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(result.latency_ms).toBeLessThan(10_000);
  });

  test('a program that forks without end is bounded, and nothing of it is left', async () => {
    const { result } = await run('f() { f | f & }; f; sleep 1000', { run_timeout_seconds: 1 });
    expect(['limit_reached', 'agent_error']).toContain(result.outcome);
    expect(result.latency_ms).toBeLessThan(15_000);
  });

  test('the output of a program that prints a gigabyte is cut', async () => {
    const { result } = await run('head -c 1073741824 /dev/zero');
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'program' });
    expect(result.final_output_bytes).toBeLessThanOrEqual(DEFAULT_LIMITS.max_output_bytes);
  });

  test('a program that exits 137 by itself was not killed for memory', async () => {
    const { result } = await run('exit 137');
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'exit_nonzero' } });
  });
});
