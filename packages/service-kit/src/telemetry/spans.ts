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

/** What a span says from its beginning. Attributes are names, numbers and ids of ours: never what somebody wrote. */
export interface SpanOptions {
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
  links?: Link[];
  /** Default: the context that is active. */
  parent?: Context;
  /** Whether what follows is shown below this span, also behind queues. */
  isOrigin?: boolean;
}

let tracer: Tracer | undefined;

/** The tracer of this process; undefined while traces go nowhere. */
export function traceWith(next: Tracer | undefined): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Whether somebody follows what is being done. */
export function isTraced(): boolean {
  return tracer !== undefined && trace.getSpan(context.active()) !== undefined;
}

/** Opens a span that the caller ends. Undefined while traces go nowhere. */
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

/** Does work in a span of its own, which ends as the work does; `span` is undefined while traces go nowhere. */
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

/** As `inSpan`, where it is part of a trace: what nobody asked for begins none. */
export async function inSpanOfTrace<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  return isTraced() ? await inSpan(name, options, work) : await work(undefined);
}

/** Says by which code something failed. Never its message: that may quote what is secret. */
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
