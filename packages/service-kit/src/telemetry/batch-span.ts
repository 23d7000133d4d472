import { type Context, context, type SpanContext, trace } from '@opentelemetry/api';
import { inSpan, isTracing } from './spans.js';

/** Enough to follow: a batch of hundreds would send more links than anybody reads. */
const LINKS_MAX = 64;

/** The context that something is asked for in; nothing to keep while traces go nowhere. */
export function contextOfAsk(): Context | undefined {
  return isTracing() ? context.active() : undefined;
}

/** Does together what was asked for in several contexts: within the first that is traced, linked to the others. */
export async function inContexts<T>(
  contexts: readonly (Context | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return await work();
  const asked = new Map<string, { span: SpanContext; within: Context }>();
  for (const within of contexts) {
    const span = within && trace.getSpanContext(within);
    if (span) asked.set(span.spanId, { span, within });
  }
  const [first, ...others] = asked.values();
  if (first === undefined) return await context.with(contexts[0] ?? context.active(), work);
  if (others.length === 0) return await context.with(first.within, work);
  const links = others.slice(0, LINKS_MAX).map(({ span }) => ({ context: span }));
  const options = { parent: first.within, links, attributes: { 'agentclash.batch.size': contexts.length } };
  return await inSpan('batch', options, work);
}
