/** Admits a burst of one second's requests at once; later ones get their turn at a steady rate. */
export class RequestPace {
  #nextAt = Number.NEGATIVE_INFINITY;
  #left: number;
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

  /** Milliseconds until the next request may be handled. Every call takes one turn. */
  takeTurn(nowMs: number): number {
    this.#nextAt = Math.max(this.#nextAt, nowMs - 1_000) + this.#intervalMs;
    return Math.max(0, this.#nextAt - nowMs);
  }
}
