import { unlessAborted } from '../packages/shared-work.js';

/** Started sandboxes that wait for a spec like an earlier one. */
export interface PoolOptions {
  /** Of one kind. 0: no pool. */
  size: number;
  /** Of all kinds. */
  sizeMax: number;
  /** They are removed when no sandbox of their kind was requested for so long. */
  idleMs: number;
}

export const POOL_DEFAULTS: PoolOptions = { size: 2, sizeMax: 8, idleMs: 60_000 };

interface Waiting {
  readonly id: string;
  /** Resolves when it has ended by itself; absent where only its use can show that. */
  readonly ended?: Promise<unknown>;
}

/** Sandboxes that any spec of one kind may use. */
interface Group<S> {
  /** Those that run and those that are being started, the first to be taken first. */
  waiting: Promise<S>[];
  requests: number;
  idle: NodeJS.Timeout | undefined;
  start: () => Promise<S>;
}

/**
 * Started sandboxes that no spec has used, by kind, so that one is there at once. Those of a kind are started with the
 * second request of that kind, since the attempts of a race are alike. None is used twice.
 */
export class SandboxPool<S extends Waiting> {
  readonly #groups = new Map<string, Group<S>>();
  readonly #work = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(
    private readonly options: PoolOptions,
    private readonly events: {
      /** It is in the pool no more. */
      remove: (sandbox: S) => Promise<void>;
      onProblem: (cause: unknown) => void;
    },
  ) {}

  /** One that runs, or will soon; others are started with `start` for the next. Throws what a start throws. */
  async take(kind: string, start: () => Promise<S>, signal?: AbortSignal): Promise<S | undefined> {
    if (this.#isClosed || this.options.size === 0) return undefined;
    const group = this.#groups.get(kind) ?? { waiting: [], requests: 0, idle: undefined, start };
    this.#groups.set(kind, group);
    clearTimeout(group.idle);
    group.idle = setTimeout(() => void this.#drop(kind), this.options.idleMs).unref();
    const taken = group.waiting.shift();
    group.requests += 1;
    if (group.requests > 1) this.#fill(group);
    if (taken === undefined) return undefined;
    return await unlessAborted(signal, taken).catch((error: unknown) => {
      if (signal?.aborted) this.#track(this.#remove(taken));
      throw error;
    });
  }

  /** It has ended by itself. */
  forget(sandbox: Promise<S>): void {
    for (const group of this.#groups.values())
      group.waiting = group.waiting.filter((each) => each !== sandbox);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#groups.keys()].map((kind) => this.#drop(kind)));
    await Promise.allSettled(this.#work);
  }

  #fill(group: Group<S>): void {
    const { size, sizeMax } = this.options;
    while (group.waiting.length < size && this.#count() < sizeMax) {
      const started = group.start();
      group.waiting.push(started);
      started.then(
        (sandbox) => void sandbox.ended?.then(() => this.forget(started)),
        (cause: unknown) => {
          this.forget(started);
          this.events.onProblem(cause);
        },
      );
    }
  }

  #count(): number {
    return [...this.#groups.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  async #drop(kind: string): Promise<void> {
    const group = this.#groups.get(kind);
    clearTimeout(group?.idle);
    this.#groups.delete(kind);
    const removed = Promise.all((group?.waiting ?? []).map((sandbox) => this.#remove(sandbox)));
    this.#track(removed);
    await removed;
  }

  /** Also one that is just being started. */
  async #remove(starting: Promise<S>): Promise<void> {
    const sandbox = await starting.catch(() => undefined);
    if (sandbox !== undefined) await this.events.remove(sandbox);
  }

  #track(work: Promise<unknown>): void {
    this.#work.add(work);
    const forget = () => this.#work.delete(work);
    work.then(forget, forget);
  }
}
