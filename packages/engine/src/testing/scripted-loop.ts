import { DEFAULT_LIMITS } from '@agentclash/attempt-plan';
import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import { type AttemptEvent, type AttemptLimits, NO_USAGE } from '@agentclash/domain';
import { type Model, type ModelReply } from '@agentclash/models';
import { AttemptEvents } from '../events/attempt-events.js';
import { runNativeLoop } from '../model/model-steps.js';
import { Spending } from '../model/spending.js';
import { Steps } from '../model/steps.js';
import { AttemptEnded, endOfDeadSandbox } from '../outcome/attempt-end.js';
import { ToolError } from '../outcome/tool-error.js';
import { submit } from '../primitives/primitives.js';
import type { Surface, SurfaceTool } from '../tools/surface.js';
import { ToolCallHandler } from '../tools/tool-call-handler.js';

interface ScriptedCall {
  name: string;
  args: JsonValue;
  fault?: string;
}
export interface ScriptedReply {
  text?: string;
  calls?: ScriptedCall[];
}
export interface ScriptedLoop {
  limits: Partial<AttemptLimits>;
  tools: string[];
  replies: ScriptedReply[];
}

const clock = { now: () => 0, monotonic: () => 0 };

function scriptedModel(replies: ScriptedReply[], costUsd: number | null = null): Model {
  let at = 0;
  return {
    providerKey: 'fake',
    name: 'scripted',
    maxOutputTokens: 0,
    priceOf: () => costUsd,
    maxPriceOf: () => costUsd,
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

function errors(replies: ScriptedReply[]): Map<string, string> {
  const entries = replies.flatMap(({ calls = [] }, index) =>
    calls.flatMap(({ fault: error }, call): [string, string][] =>
      error ? [[`${index}.${call}`, error]] : [],
    ),
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

/** Plays the native loop against a scripted model and scripted tools. */
export async function play(vector: ScriptedLoop, costUsd: number | null = null) {
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
  const errorOf = errors(vector.replies);
  const results: string[] = [];
  const toolCalls = new ToolCallHandler({
    surface: surfaceOf(vector.tools),
    runner: {
      run: async (_tool, _args, { toolCallId }) => {
        const error = errorOf.get(toolCallId);
        if (error === 'sandbox_dead') throw new AttemptEnded(endOfDeadSandbox({ death: 'killed' }));
        if (error) throw new ToolError(error, 'as scripted');
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
  const observed: Pick<ToolCallHandler, 'handle'> = {
    handle: async (call, position) => {
      const handled = await toolCalls.handle(call, position);
      results.push(`${call.name}:${handled.errorCode ?? 'ok'}`);
      return handled;
    },
  };
  const spending = new Spending(limits);
  const steps = new Steps({ events, clock });
  const options = { toolCalls: observed, tools: [], opening: [], limits, events, spending, steps };
  const loop = runNativeLoop({
    ...options,
    model: scriptedModel(vector.replies, costUsd),
    signal: new AbortController().signal,
    beginWait: () => () => {},
    check: () => undefined,
  });
  const { end, iterations, reminders } = await loop.catch((error: unknown) => {
    if (!(error instanceof AttemptEnded)) throw error;
    const steps = emitted.filter((event) => event.event_type === 'system.step.started').length;
    return { end: error.end, iterations: steps, reminders: 0 };
  });
  return { end, iterations, reminders, results, tool_calls: toolCalls.callCount, emitted };
}
