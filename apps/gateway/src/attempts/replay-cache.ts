import type { Replay } from './replay.js';

/** Replays that were lately read, one of each attempt; the one longest unread goes first when they take too much. */
export class ReplayCache {
  private readonly kept = new Map<string, Replay>();

  constructor(private readonly bytesMax: number) {}

  /** That of the delivery, or of any when none is named. */
  find(attemptId: string, delivery: number | undefined): Replay | undefined {
    const found = this.kept.get(attemptId);
    return delivery === undefined || found?.delivery === delivery ? found : undefined;
  }

  /** One with a gap is not kept: an event that came late would never be seen. */
  keep(attemptId: string, replay: Replay): void {
    this.kept.delete(attemptId);
    if (!replay.hasGap) this.kept.set(attemptId, replay);
    let bytes = [...this.kept.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [oldest, { bytes: freed }] of this.kept) {
      if (bytes <= this.bytesMax) break;
      this.kept.delete(oldest);
      bytes -= freed;
    }
  }
}
