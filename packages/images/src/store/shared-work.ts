/** Long work that many want at once: done once for all of them, and each sees its progress. */
export class SharedWork<T, P = never> {
  readonly #underway = new Map<string, { result: Promise<T>; listeners: Set<(progress: P) => void> }>();

  do(
    key: string,
    work: (progress: (progress: P) => void) => Promise<T>,
    onProgress?: (progress: P) => void,
  ): Promise<T> {
    const known = this.#underway.get(key);
    if (known !== undefined) {
      if (onProgress) known.listeners.add(onProgress);
      return known.result;
    }
    const listeners = new Set(onProgress ? [onProgress] : []);
    const result = work((progress) => {
      for (const listener of listeners) listener(progress);
    });
    this.#underway.set(key, { result, listeners });
    const forget = () => this.#underway.delete(key);
    result.then(forget, forget);
    return result;
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
