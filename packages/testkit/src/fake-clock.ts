export interface FakeClock {
  /** Milliseconds since the epoch; moves only by `advance`. */
  now(): number;
  /** Resolves once the clock has been advanced by `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Advances the clock and wakes the due sleepers in order of time; each runs before the next is woken. */
  advance(ms: number): Promise<void>;
}

interface Sleeper {
  wakeAt: number;
  wake: () => void;
}

/** A clock that advances only by `advance`. */
export function fakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let nowMs = startMs;
  const sleepers = new Set<Sleeper>();
  const next = (untilMs: number) =>
    [...sleepers].filter(({ wakeAt }) => wakeAt <= untilMs).sort((a, b) => a.wakeAt - b.wakeAt)[0];

  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const sleeper = { wakeAt: nowMs + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async advance(ms) {
      const untilMs = nowMs + ms;
      for (let due = next(untilMs); due; due = next(untilMs)) {
        sleepers.delete(due);
        nowMs = due.wakeAt;
        due.wake();
        // One turn of the event loop: the woken may go to sleep again before the clock moves on.
        await new Promise(setImmediate);
      }
      nowMs = untilMs;
    },
  };
}
