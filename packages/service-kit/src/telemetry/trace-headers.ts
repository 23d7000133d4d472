import {
  type Context,
  createContextKey,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api';

/** Reads one header, by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined;

/** W3C Trace Context. */
const PARENT = 'traceparent';
/** The span that everything began with, in the same form: what leaves a queue is shown below it. */
const ORIGIN = 'agentclash-origin';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const ORIGIN_KEY = createContextKey('agentclash.origin');

/** The span whose doing a piece of work is, however many queues lie between. */
export function originOf(context: Context): SpanContext | undefined {
  return context.getValue(ORIGIN_KEY) as SpanContext | undefined;
}

export function withOrigin(context: Context, origin: SpanContext): Context {
  return context.setValue(ORIGIN_KEY, origin);
}

/** The headers that carry a context to another process; none outside of a trace. */
export function traceHeaders(context: Context): Record<string, string> {
  const parent = trace.getSpanContext(context);
  if (parent === undefined || !isSpanContextValid(parent)) return {};
  const origin = originOf(context);
  return { [PARENT]: textOf(parent), ...(origin && { [ORIGIN]: textOf(origin) }) };
}

/** The context that headers carry; the root one where they carry none that can be read. */
export function contextOf(read: ReadHeader): Context {
  const parent = spanContextOf(read(PARENT));
  if (parent === undefined) return ROOT_CONTEXT;
  const context = trace.setSpanContext(ROOT_CONTEXT, parent);
  const origin = spanContextOf(read(ORIGIN));
  return origin === undefined ? context : withOrigin(context, origin);
}

function textOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function spanContextOf(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}
