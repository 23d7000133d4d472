import type { JsonObject, JsonValue, PrimitiveName } from '@agentclash/challengepack';
import { type AttemptLimits, formatBytes } from '@agentclash/domain';
import type { Clock } from '../clock.js';
import type { AttemptEvents } from '../events/attempt-events.js';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import { ToolError, toolErrorResult } from '../outcome/tool-error.js';
import type { Primitive } from '../primitives/primitive.js';
import { argumentsCheck, checkArgumentsShape } from './arguments.js';
import { type Spill, shrinkResult } from './shrink.js';
import type { Surface, SurfaceTool } from './surface.js';
import { CallTrace, type ToolRunner } from './tool-runner.js';

/** A call of an agent; arguments that are no JSON stay text. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: JsonValue;
}

/** The step of a call: the calls of one reply share it. */
export interface CallPosition {
  stepIndex: number;
}

/** Counts of the calls so far. */
export interface ToolCallCounts {
  /** Calls that count towards the budget. */
  calls: number;
  /** Calls that policy refused. */
  denials: number;
  /** The first step with a call beyond the budget; null within the budget. */
  firstRefusedStep: number | null;
}

export interface HandledCall {
  /** The result for the agent. */
  result: JsonValue;
  /** The code of a tool error. */
  errorCode?: string;
  /** The accepted output of `submit`. */
  submitted?: string;
  /** Set when the attempt ends with this call. */
  end?: AttemptEnd;
}

export interface ToolCallHandlerOptions {
  surface: Surface;
  runner: Pick<ToolRunner, 'run'>;
  primitives: { readonly [P in PrimitiveName]?: Pick<Primitive, 'mainFields' | 'wholeAt'> };
  limits: Pick<AttemptLimits, 'max_tool_calls' | 'max_policy_denials' | 'max_output_bytes'>;
  events: AttemptEvents;
  clock: Pick<Clock, 'monotonic'>;
  redact: <T>(value: T) => T;
  /** Stores outputs that are too long for a result. */
  spill: (name: string, text: string) => Promise<string | null>;
  /** Last touch on the result of a call that succeeded. */
  transformResult?: (result: JsonValue) => JsonValue;
  /**
   * Back-pressure: resolves when the events of a further call are accepted. Throws AttemptEnded when the stage has
   * ended.
   */
  drained?: () => Promise<void>;
  /** Of a resumed attempt; default: none. */
  counts?: ToolCallCounts;
}

/** Handles every tool call of one attempt: budget, surface, arguments, execution, result, events. */
export class ToolCallHandler {
  readonly counts: ToolCallCounts;

  constructor(private readonly options: ToolCallHandlerOptions) {
    this.counts = { calls: 0, denials: 0, firstRefusedStep: null, ...options.counts };
  }

  /** Calls that count towards the budget. */
  get callCount(): number {
    return this.counts.calls;
  }

  /** Throws AttemptEnded when the attempt ended for another reason than this call. */
  async handle(call: ToolCall, position: CallPosition): Promise<HandledCall> {
    const { events, clock, redact, surface } = this.options;
    if (events.isFull) return { result: null, end: { because: 'limit', limit: 'events' } };
    await this.options.drained?.();
    const startedAt = clock.monotonic();
    const tool = surface.get(call.name);
    const trace = new CallTrace();
    const countBefore = this.callCount;
    const common = { tool_call_id: call.id, tool_name: call.name, arguments: call.arguments };
    events.record('tool.call.started', { ...common, step_index: position.stepIndex }, named(call));
    const served = await this.serve(call, { tool, trace, position });
    const result = redact(await this.shrink(served.result, call, trace));
    const ended = {
      ...common,
      layer: tool?.layer ?? ('unknown' as const),
      resolved_tool: trace.resolvedTool,
      kind: trace.kind,
      resolution_chain: trace.chain,
      result,
      counted: this.callCount > countBefore,
      duration_ms: Math.round(clock.monotonic() - startedAt),
    };
    if (!served.error) {
      events.record('tool.call.completed', ended, named(call, trace.kind));
      return { result, ...(served.submitted !== undefined && { submitted: served.submitted }) };
    }
    const { code, message, path, origin } = served.error;
    const error = { code, message, ...(path !== undefined && { path }) };
    events.record('tool.call.failed', { ...ended, error, failure_origin: origin }, named(call, trace.kind));
    return { result, errorCode: code, ...this.endAfter(served.error, call, position) };
  }

  private async serve(
    call: ToolCall,
    { tool, trace, position }: { tool: SurfaceTool | undefined; trace: CallTrace; position: CallPosition },
  ): Promise<{ result: JsonValue; error?: ToolError; submitted?: string }> {
    try {
      if (tool?.runs === 'submit') {
        trace.hop('submit', 'primitive');
        return { result: { accepted: true }, submitted: this.acceptedOutput(tool, call.arguments) };
      }
      this.spendBudget(position);
      const offered = requireOffered(tool);
      checkArgumentsShape(call.arguments);
      const result = await this.options.runner.run(offered.runs, call.arguments, {
        toolCallId: call.id,
        trace,
      });
      return { result: this.options.transformResult?.(result) ?? result };
    } catch (thrown) {
      if (!(thrown instanceof ToolError)) throw thrown;
      const error = tool && tool.layer !== 'primitive' ? underItsName(tool.name, thrown) : thrown;
      return { result: toolErrorResult(error), error };
    }
  }

  private acceptedOutput(tool: SurfaceTool, args: JsonValue): string {
    const refuse = (message: string, path: string): never => {
      throw new ToolError('arguments', message, { origin: 'arguments', path });
    };
    checkIsObject(args);
    const verdict = argumentsCheck(tool.parameters)(args);
    if (!verdict.ok) return refuse(`${verdict.path} ${verdict.message}`, verdict.path);
    const submitted = typeof args.answer === 'string' ? args.answer : '';
    if (submitted.trim() === '') return refuse('/answer must not be blank', '/answer');
    const { max_output_bytes } = this.options.limits;
    if (Buffer.byteLength(submitted) > max_output_bytes) {
      return refuse(`/answer must not be longer than ${formatBytes(max_output_bytes)}`, '/answer');
    }
    return submitted;
  }

  private spendBudget({ stepIndex }: CallPosition): void {
    const { max_tool_calls: max } = this.options.limits;
    if (max > 0 && this.counts.calls >= max) {
      this.counts.firstRefusedStep ??= stepIndex;
      throw new ToolError('budget', `all ${max} tool calls are spent; submit your answer`, {
        origin: 'budget',
      });
    }
    this.counts.calls += 1;
  }

  private endAfter(error: ToolError, call: ToolCall, { stepIndex }: CallPosition): { end?: AttemptEnd } {
    if (error.origin === 'budget') {
      return stepIndex === this.counts.firstRefusedStep
        ? {}
        : { end: { because: 'limit', limit: 'tool_calls' } };
    }
    if (error.origin !== 'policy') return {};
    this.counts.denials += 1;
    const { denials } = this.counts;
    const { max_policy_denials: max } = this.options.limits;
    if (max === 0 || denials < max) return {};
    const detail = `${denials} calls were denied`;
    this.options.events.record('policy.violation', {
      rule: 'max_policy_denials',
      tool_call_id: call.id,
      detail,
    });
    return { end: { because: 'policy', rule: 'max_policy_denials' } };
  }

  private async shrink(result: JsonValue, call: ToolCall, trace: CallTrace): Promise<JsonValue> {
    const { last, resultFields } = trace;
    const primitive = last && this.options.primitives[last.primitive];
    const fields = resultFields ?? primitive?.mainFields;
    if (fields === undefined) return result;
    const name = `${call.name}-${call.id}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 120);
    let spilled = 0;
    const spill: Spill = async (text, field) => {
      if (last && primitive?.wholeAt) return primitive.wholeAt(last.args);
      const file = spilled++ === 0 ? name : `${name}-${field}`;
      return this.options.spill(file, text);
    };
    return shrinkResult(this.options.redact(result), fields, spill);
  }
}

function requireOffered(tool: SurfaceTool | undefined): SurfaceTool {
  if (tool) return tool;
  throw new ToolError('policy', 'this tool is not available in this attempt', { origin: 'policy' });
}

/** The delegates of a composed tool are internal: the error names the tool that the agent called. */
function underItsName(name: string, error: ToolError): ToolError {
  const { code, origin, path, result } = error;
  const isOwn = origin === 'arguments';
  return new ToolError(code, `${name} failed: ${error.message}`, {
    origin,
    ...(isOwn && path !== undefined && { path }),
    ...(result && { result }),
  });
}

function named(call: ToolCall, kind: string | null = null) {
  return { summary: { tool_name: call.name, ...(kind !== null && { tool_kind: kind }) } };
}

/** A submitted text may be as long as the attempt's output: only the shape of the arguments is checked here. */
function checkIsObject(args: JsonValue): asserts args is JsonObject {
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return;
  throw new ToolError('arguments', 'the arguments must be a JSON object', { origin: 'arguments', path: '' });
}
