import { isSandboxError } from '../sandbox-error.js';

/** Lifetime of a cached refusal, so that many attempts with the same packages do not repeat the request. */
const REFUSED_MS = 60_000;

/** Long work that many want at once: done once for all of them. */
export class SharedWork<T> {
  readonly #underway = new Map<string, Promise<T>>();

  /** Also after an `unsupported`, for a minute; other failures are tried again by the next caller. */
  do(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#underway.get(key);
    if (known) return known;
    const begun = work();
    const forget = () => this.#underway.delete(key);
    this.#underway.set(key, begun);
    begun.then(forget, (error: unknown) => {
      if (isSandboxError(error, 'unsupported')) setTimeout(forget, REFUSED_MS).unref();
      else forget();
    });
    return begun;
  }
}

interface Abandonable<T, P> {
  result: Promise<T>;
  stop: AbortController;
  waiting: Set<Waiter<P>>;
}

interface Waiter<P> {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: P) => void) | undefined;
}

/** Long work that many want at once and that ends with the last of them: each sees its progress. */
export class AbandonableWork<T, P> {
  readonly #underway = new Map<string, Abandonable<T, P>>();

  async do(
    key: string,
    work: (signal: AbortSignal, report: (progress: P) => void) => Promise<T>,
    waiter: Waiter<P>,
  ): Promise<T> {
    waiter.signal?.throwIfAborted();
    const own = { ...waiter };
    const found = this.#underway.get(key) ?? this.#start(key, work);
    found.waiting.add(own);
    try {
      return await unlessAborted(waiter.signal, found.result);
    } finally {
      found.waiting.delete(own);
      if (found.waiting.size === 0) {
        this.#forget(key, found);
        found.stop.abort();
      }
    }
  }

  #start(
    key: string,
    work: (signal: AbortSignal, report: (progress: P) => void) => Promise<T>,
  ): Abandonable<T, P> {
    const stop = new AbortController();
    const waiting = new Set<Waiter<P>>();
    const result = work(stop.signal, (progress) => {
      for (const { onProgress } of waiting) onProgress?.(progress);
    });
    const started = { result, stop, waiting };
    this.#underway.set(key, started);
    const forget = () => this.#forget(key, started);
    result.then(forget, forget);
    return started;
  }

  #forget(key: string, work: Abandonable<T, P>): void {
    if (this.#underway.get(key) === work) this.#underway.delete(key);
  }
}

/** A cancelled waiter leaves the work to the others that wait for it. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return await work;
  work.catch(() => {});
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
