import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { withOrigin } from './trace-headers.js';

/** The initial fields of a span. Attributes are fixed names, numbers and ids, never text of a user. */
export interface SpanOptions {
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
  links?: Link[];
  /** Default: the active context. */
  parent?: Context;
  /** True when later spans, also behind queues, are children of this one. */
  isOrigin?: boolean;
}

let tracer: Tracer | undefined;

/** Sets the tracer of this process; undefined turns tracing off. */
export function traceWith(next: Tracer | undefined): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** True when the current work belongs to a trace. */
export function isTraced(): boolean {
  return tracer !== undefined && trace.getSpan(context.active()) !== undefined;
}

/** Opens a span that the caller ends. Undefined while tracing is off. */
export function openSpan(
  name: string,
  options: SpanOptions = {},
): { span: Span; within: Context } | undefined {
  if (tracer === undefined) return undefined;
  const { kind = 'INTERNAL', attributes = {}, links = [], parent = context.active(), isOrigin } = options;
  const span = tracer.startSpan(name, { kind: SpanKind[kind], attributes, links }, parent);
  const within = trace.setSpan(parent, span);
  return { span, within: isOrigin ? withOrigin(within, span.spanContext()) : within };
}

/** Runs work in its own span, which ends with the work; `span` is undefined while tracing is off. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const opened = openSpan(name, options);
  if (opened === undefined) return await work(undefined);
  const { span, within } = opened;
  try {
    return await context.with(within, () => work(span));
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** As `inSpan` within a trace; outside of one it starts no span. */
export async function inSpanOfTrace<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  return isTraced() ? await inSpan(name, options, work) : await work(undefined);
}

/** Records the code of an error. Never its message, which may quote a secret. */
function failSpan(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorCode(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** An error's code, or the name of its class. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && /^[\w.-]{1,64}$/.test(code)) return code;
  return error instanceof Error ? error.constructor.name : 'unknown';
}
