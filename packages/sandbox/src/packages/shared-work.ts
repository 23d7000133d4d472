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
