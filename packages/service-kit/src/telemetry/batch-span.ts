import { type Context, context, type SpanContext, trace } from '@opentelemetry/api';
import { inSpan, isTracing } from './spans.js';

/** Bounds the links of a batch of hundreds. */
const LINKS_MAX = 64;

/** The trace context of a batched item; undefined while tracing is off. */
export function currentContext(): Context | undefined {
  return isTracing() ? context.active() : undefined;
}

/** Runs a batch whose items belong to several contexts: within the first traced one, linked to the others. */
export async function inContexts<T>(
  contexts: readonly (Context | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return await work();
  const traced = new Map<string, { span: SpanContext; within: Context }>();
  for (const within of contexts) {
    const span = within && trace.getSpanContext(within);
    if (span) traced.set(span.spanId, { span, within });
  }
  const [first, ...others] = traced.values();
  if (first === undefined) return await context.with(contexts[0] ?? context.active(), work);
  if (others.length === 0) return await context.with(first.within, work);
  const links = others.slice(0, LINKS_MAX).map(({ span }) => ({ context: span }));
  const options = { parent: first.within, links, attributes: { 'agentclash.batch.size': contexts.length } };
  return await inSpan('batch', options, work);
}
