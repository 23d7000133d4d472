/**
 * A long computation that can pause: it yields every few milliseconds of work, so that a caller who shares its thread
 * may let others run in between. What it computes does not depend on the pauses.
 */
export type Steps<T> = Generator<void, T, void>;

/** Runs a computation to its end without a pause. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
