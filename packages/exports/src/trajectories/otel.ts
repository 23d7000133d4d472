import { createHash } from 'node:crypto';
import type { ResultRecord } from '../results/record.js';
import type { ExportedTrajectory } from './atif.js';
import type { Reply, ToolCall } from './transcript.js';

type Value = string | number | boolean | null | undefined;
type Attributes = Readonly<Record<string, Value>>;

const KIND_INTERNAL = 1;
const KIND_CLIENT = 3;
const STATUS_ERROR = 2;

/**
 * One attempt as an OTLP/JSON request of traces: a span of the agent with a span for each call of a model and of a tool, and
 * an event for each evaluation. Names are those of the semantic conventions for generative AI. Texts are not exported.
 */
export function otelTrace(trajectory: ExportedTrajectory): Record<string, unknown> {
  const { record } = trajectory;
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({
            'service.name': 'agentclash',
            'agentclash.run.id': record.run_id,
            'agentclash.pack': record.pack,
            'agentclash.pack.version': record.version_number,
            'agentclash.pack.digest': record.version_digest,
            ...(record.audit_result !== null && { 'agentclash.pack.audit': record.audit_result }),
            'agentclash.input_set': record.input_set,
          }),
        },
        scopeSpans: [{ scope: { name: 'agentclash' }, spans: spansOf(trajectory) }],
      },
    ],
  };
}

function spansOf({ record, transcript }: ExportedTrajectory): Record<string, unknown>[] {
  const traceId = idOf(record.attempt_id, 32);
  const rootId = idOf(`${record.attempt_id} agent`, 16);
  const start = transcript.started_at ?? record.started_at ?? record.finished_at;
  const end = transcript.ended_at ?? record.finished_at ?? start;
  const spanOf = (span: Span, parentSpanId?: string) => ({
    traceId,
    spanId: span.spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: nanoseconds(span.start),
    endTimeUnixNano: nanoseconds(span.end),
    attributes: attributesOf(span.attributes),
    ...(span.events && { events: span.events }),
    ...(span.error !== undefined && { status: { code: STATUS_ERROR, message: span.error } }),
  });
  const replies = transcript.entries.filter((entry) => entry.kind === 'reply');
  const root: Span = {
    spanId: rootId,
    name: `invoke_agent ${record.lane}`,
    kind: KIND_INTERNAL,
    ...{ start, end, attributes: agentAttributes(record), events: evaluationsOf(record, end) },
    ...(record.error_code !== null && { error: record.error_code }),
  };
  return [
    spanOf(root),
    ...replies.flatMap((reply, index) => [
      ...(reply.call ? [spanOf(chatSpan(record, reply, reply.call, index), rootId)] : []),
      ...reply.tool_calls.map((call, at) => spanOf(toolSpan(record, call, `${index} ${at}`), rootId)),
    ]),
  ];
}

interface Span {
  spanId: string;
  name: string;
  kind: number;
  start: string | null;
  end: string | null;
  attributes: Attributes;
  events?: Record<string, unknown>[];
  error?: string;
}

function agentAttributes(record: ResultRecord): Attributes {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': record.lane,
    'gen_ai.agent.id': record.deployment_id,
    'gen_ai.conversation.id': record.attempt_id,
    'gen_ai.usage.input_tokens': record.input_tokens,
    'gen_ai.usage.output_tokens': record.output_tokens,
    'error.type': record.error_code,
    'agentclash.attempt.id': record.attempt_id,
    'agentclash.case': record.case_key,
    'agentclash.challenge': record.challenge_key,
    'agentclash.repetition': record.repetition,
    'agentclash.outcome': record.outcome,
    'agentclash.cost_usd': record.cost_usd,
    'agentclash.imported': record.imported,
  };
}

function chatSpan(
  record: ResultRecord,
  { started_at: start, at: end }: Reply,
  call: NonNullable<Reply['call']>,
  index: number,
): Span {
  return {
    spanId: idOf(`${record.attempt_id} chat ${index}`, 16),
    name: `chat ${call.model}`,
    kind: KIND_CLIENT,
    ...{ start, end },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': call.provider,
      'gen_ai.request.model': call.model,
      'gen_ai.response.model': call.response_model,
      'gen_ai.response.id': call.response_id,
      'gen_ai.usage.input_tokens': call.input_tokens,
      'gen_ai.usage.output_tokens': call.output_tokens,
      'agentclash.cost_usd': call.cost_usd,
    },
  };
}

function toolSpan(record: ResultRecord, call: ToolCall, index: string): Span {
  return {
    spanId: idOf(`${record.attempt_id} tool ${index}`, 16),
    name: `execute_tool ${call.name}`,
    kind: KIND_INTERNAL,
    ...{ start: call.started_at, end: call.ended_at },
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': call.id,
      ...(call.failed && { 'error.type': 'tool_error' }),
    },
    ...(call.failed && { error: 'tool_error' }),
  };
}

/** The verdict, then every dimension, validator and judge. A result without a score has the reason as its error. */
function evaluationsOf(record: ResultRecord, at: string | null): Record<string, unknown>[] {
  const { passed, overall, reason, dimensions, validators, judges } = record;
  const scored = [
    ...(overall === null && passed === null
      ? []
      : [{ name: 'overall', score: overall, reason, label: labelOf(passed) }]),
    ...Object.entries(dimensions).map(([key, each]) => ({ name: `dimension.${key}`, ...each })),
    ...Object.entries(validators).map(([key, each]) => {
      return { name: `validator.${key}`, ...each, label: each.verdict ?? undefined };
    }),
    ...Object.entries(judges).map(([key, each]) => ({ name: `judge.${key}`, ...each })),
  ];
  return scored.map((each) => ({
    timeUnixNano: nanoseconds(at),
    name: 'gen_ai.evaluation.result',
    attributes: attributesOf({
      'gen_ai.evaluation.name': each.name,
      'gen_ai.evaluation.score.value': each.score,
      'gen_ai.evaluation.score.label': 'label' in each ? each.label : undefined,
      'gen_ai.evaluation.explanation': each.reason,
      'error.type': each.score === null ? (each.reason ?? 'unavailable') : undefined,
    }),
  }));
}

function labelOf(passed: boolean | null): string | undefined {
  if (passed === null) return undefined;
  return passed ? 'pass' : 'fail';
}

/** In OTLP/JSON a whole number is a text. What is absent is left out. */
function attributesOf(attributes: Attributes): Record<string, unknown>[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === null || value === undefined || value === '') return [];
    return [{ key, value: DOUBLES.has(key) ? { doubleValue: value } : otlpValue(value) }];
  });
}

/** Attributes that are no whole numbers, whatever their value. */
const DOUBLES: ReadonlySet<string> = new Set(['gen_ai.evaluation.score.value', 'agentclash.cost_usd']);

function otlpValue(value: string | number | boolean): Record<string, unknown> {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function nanoseconds(time: string | null): string {
  return time === null ? '0' : `${BigInt(Date.parse(time)) * 1_000_000n}`;
}

/** The same attempt has the same ids in every export. */
function idOf(name: string, digits: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, digits);
}
