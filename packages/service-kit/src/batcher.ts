import { type Context, context, type SpanContext, trace } from '@opentelemetry/api';
import { inSpan, isTracing } from './telemetry/spans.js';

/** Options of batching. */
export interface BatcherOptions<Item> {
  /** Only items with the same key share a batch; default: all do. */
  keyOf?: (item: Item) => string;
  /** The size of a batch. */
  itemsMax: number;
  /** The weight of an item, and the most that a batch may weigh unless a single item weighs more. */
  weight?: { of: (item: Item) => number; max: number };
  /** True when a failure is not caused by an item, so that each item would fail alone too. */
  isSharedFailure?: (error: unknown) => boolean;
}

interface Entry<Item, Result> {
  item: Item;
  settle: { resolve: (result: Result) => void; reject: (error: unknown) => void };
  within: ReturnType<typeof currentContext>;
}

/**
 * Batches single items for work that costs little more for many: items added in the same turn of the event loop, or while
 * the previous batch runs, are one batch. When it fails, each half is retried alone, so that one item cannot fail the
 * others; the work must be repeatable.
 */
export class Batcher<Item, Result> {
  private readonly queues = new Map<string, Entry<Item, Result>[]>();

  /** `work` returns the results of its items in their order. */
  constructor(
    private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly options: BatcherOptions<Item>,
  ) {}

  async add(item: Item): Promise<Result> {
    const key = this.options.keyOf?.(item) ?? '';
    return await new Promise((resolve, reject) => {
      const entry = { item, settle: { resolve, reject }, within: currentContext() };
      const queue = this.queues.get(key);
      if (queue !== undefined) {
        queue.push(entry);
        return;
      }
      const opened = [entry];
      this.queues.set(key, opened);
      setImmediate(() => void this.drain(key, opened));
    });
  }

  private async drain(key: string, queue: Entry<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await this.settle(queue.splice(0, this.nextBatchSize(queue)));
    this.queues.delete(key);
  }

  /** The number of items from the front of the queue in the next batch: at least one. */
  private nextBatchSize(queue: readonly Entry<Item, Result>[]): number {
    const { itemsMax, weight } = this.options;
    const most = Math.min(itemsMax, queue.length);
    if (weight === undefined) return most;
    let sum = 0;
    const count = queue.slice(0, most).findIndex(({ item }) => {
      sum += weight.of(item);
      return sum > weight.max;
    });
    return count < 0 ? most : Math.max(1, count);
  }

  private async settle(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await inContexts(
        batch.map(({ within }) => within),
        () => this.work(batch.map(({ item }) => item)),
      );
      if (results.length !== batch.length)
        throw new RangeError('the work did not return one result per item');
      for (const [index, { settle }] of batch.entries()) settle.resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1 || this.options.isSharedFailure?.(error)) {
        for (const { settle } of batch) settle.reject(error);
        return;
      }
      const middle = Math.ceil(batch.length / 2);
      await this.settle(batch.slice(0, middle));
      await this.settle(batch.slice(middle));
    }
  }
}

/** Bounds the links of a batch of hundreds. */
const LINKS_MAX = 64;

/** The trace context of a batched item; undefined while tracing is off. */
function currentContext(): Context | undefined {
  return isTracing() ? context.active() : undefined;
}

/** Runs a batch whose items belong to several contexts: within the first traced one, linked to the others. */
async function inContexts<T>(contexts: readonly (Context | undefined)[], work: () => Promise<T>): Promise<T> {
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
