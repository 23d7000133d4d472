import type { ContainerSandbox } from './container-sandbox.js';
import type { PoolOptions } from './options.js';

export const POOL_DEFAULTS: PoolOptions = { size: 2, sizeMax: 8, idleMs: 60_000 };

/** Sandboxes that any spec of one kind may use. */
interface Group {
  ready: ContainerSandbox[];
  starting: number;
  idle: NodeJS.Timeout | undefined;
  start: () => Promise<ContainerSandbox>;
}

/**
 * Started sandboxes that no spec has used, by kind, so that one is there at once. Those of a kind are started when one of
 * that kind is requested, since the attempts of a race are alike. None is used twice.
 */
export class ContainerPool {
  readonly #groups = new Map<string, Group>();
  readonly #work = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(
    private readonly options: PoolOptions,
    private readonly events: {
      /** It is in the pool no more. */
      remove: (sandbox: ContainerSandbox) => Promise<void>;
      onProblem: (cause: unknown) => void;
    },
  ) {}

  /** One that runs, where there is one; others are started with `start` for the next. */
  take(kind: string, start: () => Promise<ContainerSandbox>): ContainerSandbox | undefined {
    if (this.#isClosed || this.options.size === 0) return undefined;
    const group = this.#groups.get(kind) ?? { ready: [], starting: 0, idle: undefined, start };
    this.#groups.set(kind, group);
    clearTimeout(group.idle);
    group.idle = setTimeout(() => void this.#drop(kind), this.options.idleMs).unref();
    const taken = group.ready.shift();
    this.#fill(group);
    return taken;
  }

  /** It has ended by itself. */
  forget(sandbox: ContainerSandbox): void {
    for (const group of this.#groups.values()) group.ready = group.ready.filter((each) => each !== sandbox);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#groups.keys()].map((kind) => this.#drop(kind)));
    await Promise.allSettled(this.#work);
  }

  #fill(group: Group): void {
    const { size, sizeMax } = this.options;
    while (group.ready.length + group.starting < size && this.#count() < sizeMax) {
      group.starting += 1;
      this.#track(this.#start(group));
    }
  }

  async #start(group: Group): Promise<void> {
    try {
      const sandbox = await group.start();
      if ([...this.#groups.values()].includes(group)) group.ready.push(sandbox);
      else await this.events.remove(sandbox);
    } catch (cause) {
      this.events.onProblem(cause);
    } finally {
      group.starting -= 1;
    }
  }

  #count(): number {
    return [...this.#groups.values()].reduce((sum, { ready, starting }) => sum + ready.length + starting, 0);
  }

  async #drop(kind: string): Promise<void> {
    const group = this.#groups.get(kind);
    clearTimeout(group?.idle);
    this.#groups.delete(kind);
    const removed = Promise.all((group?.ready ?? []).map((sandbox) => this.events.remove(sandbox)));
    this.#track(removed);
    await removed;
  }

  #track(work: Promise<unknown>): void {
    this.#work.add(work);
    const forget = () => this.#work.delete(work);
    work.then(forget, forget);
  }
}
