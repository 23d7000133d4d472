import { contextOfAsk, inContexts } from './telemetry/batch-span.js';

/** How requests are put together. */
export interface CombinerOptions<Item> {
  /** Only items with the same key go together; default: all do. */
  keyOf?: (item: Item) => string;
  /** The most that goes together. */
  itemsMax: number;
  /** What an item weighs, and the most that goes together unless a single one weighs more. */
  weight?: { of: (item: Item) => number; max: number };
  /** Whether a failure is none of the items' own, so that each would fail alike if it were tried without the others. */
  failsAlike?: (error: unknown) => boolean;
}

interface Asked<Item, Result> {
  item: Item;
  settle: { resolve: (result: Result) => void; reject: (error: unknown) => void };
  within: ReturnType<typeof contextOfAsk>;
}

/**
 * Does together what is asked for one by one and costs little more for many: what comes in the same turn of the event
 * loop, or while the work before it is under way, is one piece of work. When that fails, each half is tried without the
 * other, so that one item cannot fail the others; the work must bear being repeated.
 */
export class Combiner<Item, Result> {
  private readonly lines = new Map<string, Asked<Item, Result>[]>();

  /** `work` answers its items in their order. */
  constructor(
    private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly options: CombinerOptions<Item>,
  ) {}

  async add(item: Item): Promise<Result> {
    const key = this.options.keyOf?.(item) ?? '';
    return await new Promise((resolve, reject) => {
      const asked = { item, settle: { resolve, reject }, within: contextOfAsk() };
      const line = this.lines.get(key);
      if (line !== undefined) {
        line.push(asked);
        return;
      }
      const opened = [asked];
      this.lines.set(key, opened);
      setImmediate(() => void this.workOff(key, opened));
    });
  }

  private async workOff(key: string, line: Asked<Item, Result>[]): Promise<void> {
    while (line.length > 0) await this.settle(line.splice(0, this.countTogether(line)));
    this.lines.delete(key);
  }

  /** How many from the front of the line go together: at least one. */
  private countTogether(line: readonly Asked<Item, Result>[]): number {
    const { itemsMax, weight } = this.options;
    const most = Math.min(itemsMax, line.length);
    if (weight === undefined) return most;
    let sum = 0;
    const count = line.slice(0, most).findIndex(({ item }) => {
      sum += weight.of(item);
      return sum > weight.max;
    });
    return count < 0 ? most : Math.max(1, count);
  }

  private async settle(together: Asked<Item, Result>[]): Promise<void> {
    try {
      const results = await inContexts(
        together.map(({ within }) => within),
        () => this.work(together.map(({ item }) => item)),
      );
      if (results.length !== together.length) throw new RangeError('not every item was answered');
      for (const [index, { settle }] of together.entries()) settle.resolve(results[index] as Result);
    } catch (error) {
      if (together.length === 1 || this.options.failsAlike?.(error)) {
        for (const { settle } of together) settle.reject(error);
        return;
      }
      const middle = Math.ceil(together.length / 2);
      await this.settle(together.slice(0, middle));
      await this.settle(together.slice(middle));
    }
  }
}
