// Node fires a longer timer at once.
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface Deadline {
  /** Aborts when the time is over, or with the parent's reason when that aborts first. */
  signal: AbortSignal;
  /** Stops the clock. Without it the process would wait for the timer. */
  end(): void;
}

/** One clock for everything that hangs on `signal`; waiting code then throws what `reasonOf` makes. */
export function startDeadline(ms: number, reasonOf: () => unknown, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(reasonOf()), Math.min(ms, TIMER_MS_MAX));
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      parent?.removeEventListener('abort', follow);
    },
  };
}

/** The promise, or a rejection with the signal's reason as soon as that aborts. */
export async function within<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
