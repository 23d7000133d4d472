/** How requests are put together. */
export interface CombinerOptions<Item> {
  /** Only items with the same key go together; default: all do. */
  keyOf?: (item: Item) => string;
  /** The most that goes together. */
  itemsMax: number;
}

interface Asked<Item, Result> {
  item: Item;
  settle: { resolve: (result: Result) => void; reject: (error: unknown) => void };
}

/**
 * Does together what is asked for one by one and costs little more for many: what comes in the same turn of the event
 * loop, or while the work before it is under way, is one piece of work. When that fails, each item is tried alone, so
 * that one cannot fail the others; the work must bear being repeated.
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
      const asked = { item, settle: { resolve, reject } };
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
    while (line.length > 0) await this.settle(line.splice(0, this.options.itemsMax));
    this.lines.delete(key);
  }

  private async settle(together: Asked<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(together.map(({ item }) => item));
      if (results.length !== together.length) throw new RangeError('not every item was answered');
      for (const [index, { settle }] of together.entries()) settle.resolve(results[index] as Result);
    } catch (error) {
      if (together.length === 1) together[0]?.settle.reject(error);
      else for (const asked of together) await this.settle([asked]);
    }
  }
}
