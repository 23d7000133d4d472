import type { EventPayloads } from '@agentclash/domain';

type Refusal = EventPayloads['network.request.blocked'];

interface Fold {
  refusal: Refusal;
  /** Refusals since the last event of it. */
  count: number;
  recordedAt: number;
}

/** Different refusals that are counted concurrently; of more, the oldest is recorded and its count starts again. */
const FOLDS_MAX = 256;
const RECORD_EVERY_MS = 10_000;

export interface FoldedRefusalsOptions {
  record: (refusal: Refusal) => void;
  /** Milliseconds. */
  monotonic: () => number;
}

/**
 * Records the first of the same refusals at once and the repetitions as one event with their `count`: every ten
 * seconds while there are some, and at the end. Same are those of one method, target and reason.
 */
export class FoldedRefusals {
  private readonly folds = new Map<string, Fold>();
  private isClosed = false;

  constructor(private readonly options: FoldedRefusalsOptions) {}

  add(refusal: Refusal): void {
    if (this.isClosed) this.options.record(refusal);
    else this.fold(refusal);
  }

  /** Records what is counted and not recorded yet. Idempotent. */
  close(): void {
    this.isClosed = true;
    for (const fold of this.folds.values()) this.record(fold);
    this.folds.clear();
  }

  private fold(refusal: Refusal): void {
    const { method, scheme, host, port, reason } = refusal;
    const key = JSON.stringify([method, scheme, host, port, reason]);
    const now = this.options.monotonic();
    const fold = this.folds.get(key);
    if (fold === undefined) {
      this.evictOldest();
      this.folds.set(key, { refusal, count: 0, recordedAt: now });
      this.options.record(refusal);
      return;
    }
    fold.count += 1;
    if (now - fold.recordedAt < RECORD_EVERY_MS) return;
    this.record(fold);
    fold.recordedAt = now;
  }

  private evictOldest(): void {
    if (this.folds.size < FOLDS_MAX) return;
    for (const [key, oldest] of this.folds) {
      this.record(oldest);
      this.folds.delete(key);
      return;
    }
  }

  private record(fold: Fold): void {
    if (fold.count === 0) return;
    const { refusal, count } = fold;
    fold.count = 0;
    this.options.record(count === 1 ? refusal : { ...refusal, count });
  }
}
