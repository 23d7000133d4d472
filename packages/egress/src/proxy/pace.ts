/** Refused requests without a delay: a program that finds out which hosts are permitted sends no more. */
const UNDELAYED_MAX = 100;
/** The delay by each further one: no client needs more than ten a second. */
const DELAY_MS = 100;

/**
 * Admits a burst of one second's requests at once; later ones get their turn at a steady rate, and at a tenth of a
 * second each where they continue to be refused.
 */
export class RequestPace {
  #nextAt = Number.NEGATIVE_INFINITY;
  #left: number;
  #refused = 0;
  readonly #intervalMs: number;

  constructor({ requestsMax, requestsPerSecond }: { requestsMax: number; requestsPerSecond: number }) {
    this.#left = requestsMax;
    this.#intervalMs = 1_000 / requestsPerSecond;
  }

  /** False once `requestsMax` requests were admitted. */
  spend(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }

  /** One request was refused; many of them hold up those that follow. */
  refused(nowMs: number): void {
    this.#refused += 1;
    if (this.#refused <= UNDELAYED_MAX) return;
    this.#nextAt = Math.max(this.#nextAt, nowMs - this.#intervalMs) + DELAY_MS;
  }

  /** Milliseconds until the next request may be handled. Every call reserves one place in that order. */
  reserve(nowMs: number): number {
    this.#nextAt = Math.max(this.#nextAt, nowMs - 1_000) + this.#intervalMs;
    return Math.max(0, this.#nextAt - nowMs);
  }
}
