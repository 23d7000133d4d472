import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import { type Model, type ModelReply, NO_USAGE } from '@agentclash/models';
import { vectorSuite } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { AttemptEnded } from '../attempt/attempt-ended.js';
import { type AttemptEnd, endOfDeadSandbox, outcomeOf } from '../attempt/outcome.js';
import { AttemptEvents } from '../events/attempt-events.js';
import type { AttemptEvent } from '../events/payloads.js';
import { Spending } from '../model/spending.js';
import type { AttemptLimits } from '../plan.js';
import { DEFAULT_LIMITS } from '../planning/limits.js';
import { submit } from '../primitives/submit.js';
import type { Surface, SurfaceTool } from '../tools/surface.js';
import { ToolDesk } from '../tools/tool-desk.js';
import { ToolError } from '../tools/tool-error.js';
import { runNativeLoop } from './native-loop.js';

interface ScriptedCall {
  name: string;
  args: JsonValue;
  fault?: string;
}
interface ScriptedReply {
  text?: string;
  calls?: ScriptedCall[];
}
interface LoopVector {
  id: string;
  limits: Partial<AttemptLimits>;
  tools: string[];
  replies: ScriptedReply[];
  expect: Record<string, unknown>;
}

const clock = { now: () => 0, monotonic: () => 0 };

function scriptedModel(replies: ScriptedReply[], costUsd: number | null = null): Model {
  let at = 0;
  return {
    providerKey: 'fake',
    name: 'scripted',
    maxOutputTokens: 0,
    priceOf: () => costUsd,
    call: async (): Promise<ModelReply> => {
      const index = at++;
      const { text = '', calls = [] } = replies[index] ?? {};
      return {
        text,
        toolCalls: calls.map(({ name, args }, call) => ({ id: `${index}.${call}`, name, arguments: args })),
        finishReason: calls.length > 0 ? 'tool_calls' : 'stop',
        usage: { ...NO_USAGE, input: 10, output: 5, total: 15 },
        costUsd,
        responseModel: null,
        responseId: null,
        tries: 1,
        timing: { queued_ms: 0, ttft_ms: 0, total_ms: 0 },
      };
    },
  };
}

function faults(replies: ScriptedReply[]): Map<string, string> {
  const entries = replies.flatMap(({ calls = [] }, index) =>
    calls.flatMap(({ fault }, call): [string, string][] => (fault ? [[`${index}.${call}`, fault]] : [])),
  );
  return new Map(entries);
}

function surfaceOf(names: string[]): Surface {
  const open: JsonObject = { type: 'object' };
  const tools: SurfaceTool[] = names.map((name) => ({
    name,
    description: '',
    parameters: open,
    layer: 'primitive',
    runs: 'read_file',
  }));
  tools.push({
    name: 'submit',
    description: '',
    parameters: submit.parameters,
    layer: 'primitive',
    runs: 'submit',
  });
  return new Map(tools.map((tool) => [tool.name, tool]));
}

async function play(vector: Pick<LoopVector, 'limits' | 'tools' | 'replies'>, costUsd: number | null = null) {
  const emitted: AttemptEvent[] = [];
  const limits = { ...DEFAULT_LIMITS, ...vector.limits };
  const events = new AttemptEvents({
    identity: { run_id: 'r', run_agent_id: 'a', attempt_id: 't', delivery: 1, case_key: 'c', repetition: 1 },
    source: 'native_engine',
    evidenceLevel: 'native_structured',
    clock,
    emit: (event) => emitted.push(event),
    redact: (value) => value,
  });
  const faultOf = faults(vector.replies);
  const results: string[] = [];
  const desk = new ToolDesk({
    surface: surfaceOf(vector.tools),
    runner: {
      run: async (_tool, _args, { toolCallId }) => {
        const fault = faultOf.get(toolCallId);
        if (fault === 'sandbox_dead') throw new AttemptEnded(endOfDeadSandbox('killed'));
        if (fault) throw new ToolError(fault, 'as scripted');
        return { ok: true };
      },
    },
    primitives: {},
    limits,
    events,
    clock,
    redact: (value) => value,
    spill: async () => null,
  });
  const observed: Pick<ToolDesk, 'handle'> = {
    handle: async (call, place) => {
      const handled = await desk.handle(call, place);
      results.push(`${call.name}:${handled.errorCode ?? 'ok'}`);
      return handled;
    },
  };
  const spending = new Spending(limits);
  const options = { desk: observed, tools: [], opening: [], limits, events, spending, clock };
  const loop = runNativeLoop({
    ...options,
    model: scriptedModel(vector.replies, costUsd),
    signal: new AbortController().signal,
    check: () => undefined,
  });
  const { end, iterations, reminders } = await loop.catch((error: unknown) => {
    if (!(error instanceof AttemptEnded)) throw error;
    const steps = emitted.filter((event) => event.event_type === 'system.step.started').length;
    return { end: error.end, iterations: steps, reminders: 0 };
  });
  return { end, iterations, reminders, results, tool_calls: desk.callCount, emitted };
}

function summaryOf(end: AttemptEnd) {
  const { outcome, finishedBy, code, limit } = outcomeOf(end);
  return {
    outcome,
    finished_by: finishedBy,
    code,
    limit,
    ...(end.because === 'answer' && { final_output: end.answer }),
  };
}

vectorSuite<LoopVector>('execution-loop.yaml', async (vector) => {
  const { end, emitted: _, ...played } = await play(vector);
  expect({ ...played, ...summaryOf(end) }).toMatchObject(vector.expect);
});

describe('the native loop', () => {
  const call = (name: string, args: JsonValue = {}): ScriptedReply => ({ calls: [{ name, args }] });

  test('a second reply with a refused call is the end', async () => {
    const replies = [call('read_file'), call('read_file'), call('read_file')];
    const { end, iterations } = await play({ limits: { max_tool_calls: 1 }, tools: ['read_file'], replies });
    expect(end).toEqual({ because: 'limit', limit: 'tool_calls' });
    expect(iterations).toBe(3);
  });

  test('running out of iterations is a limit', async () => {
    const replies = [call('read_file'), call('read_file')];
    const { end } = await play({ limits: { max_iterations: 2 }, tools: ['read_file'], replies });
    expect(end).toEqual({ because: 'limit', limit: 'iterations' });
  });

  test('a call that would exceed the token limit is not made', async () => {
    const replies = Array.from({ length: 9 }, () => call('read_file'));
    const { end, iterations } = await play({
      limits: { max_total_tokens: 40 },
      tools: ['read_file'],
      replies,
    });
    expect(end).toEqual({ because: 'limit', limit: 'tokens' });
    expect(iterations).toBeLessThan(4);
  });

  test('a call that would exceed the cost limit is not made', async () => {
    const replies = Array.from({ length: 9 }, () => call('read_file'));
    const { end } = await play({ limits: { max_cost_usd: 1 }, tools: ['read_file'], replies }, 0.4);
    expect(end).toEqual({ because: 'limit', limit: 'cost' });
  });

  test('a dead sandbox is no tool error', async () => {
    const replies = [{ calls: [{ name: 'read_file', args: {}, fault: 'sandbox_dead' }] }];
    const { end, emitted } = await play({ limits: {}, tools: ['read_file'], replies });
    expect(outcomeOf(end)).toMatchObject({ outcome: 'infra_error', retryable: true });
    expect(emitted.map((event) => event.event_type)).not.toContain('tool.call.failed');
  });

  test("arguments that are no JSON object are the agent's mistake", async () => {
    const replies = [call('read_file', '{"path": '), call('submit', { answer: 'x' })];
    const { results } = await play({ limits: {}, tools: ['read_file'], replies });
    expect(results).toEqual(['read_file:arguments', 'submit:ok']);
  });

  test('a submit of more than the output limit is a tool error, a message of more ends the attempt', async () => {
    const limits = { max_output_bytes: 3 };
    const submitted = await play({
      limits,
      tools: [],
      replies: [call('submit', { answer: 'long' }), call('submit', { answer: 'ok' })],
    });
    expect(submitted.results).toEqual(['submit:arguments', 'submit:ok']);
    const told = await play({ limits, tools: [], replies: [{ text: 'long' }, { text: 'long' }] });
    expect(told.end).toEqual({ because: 'limit', limit: 'output' });
  });

  test('every call is an event with what was asked and what came of it', async () => {
    const { emitted } = await play({
      limits: {},
      tools: [],
      replies: [call('exec', { command: ['ls'] }), call('submit', { answer: 'x' })],
    });
    const ended = emitted.filter(
      (event) => event.event_type.startsWith('tool.call.') && event.event_type !== 'tool.call.started',
    );
    expect(ended.map(({ event_type, payload }) => ({ event_type, ...payload }))).toMatchObject([
      {
        event_type: 'tool.call.failed',
        tool_name: 'exec',
        arguments: { command: ['ls'] },
        layer: 'unknown',
        counted: true,
        failure_origin: 'policy',
        error: { code: 'policy' },
      },
      { event_type: 'tool.call.completed', tool_name: 'submit', counted: false },
    ]);
  });
});
