/**
 * Admits a few waiters in each turn of the event loop, and none while `isBehind`. Work that waits for nothing then ends
 * before much more of it has begun, so that little of it is in memory at a time; work that waits for others soon fills
 * every slot.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  constructor(
    private readonly admittedAtOnce: number,
    private readonly isBehind: () => boolean,
  ) {}

  /** Resolves in a later turn, in the order of the calls. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      this.admit();
    });
  }

  /** Admits waiters in the next turn. To be called whenever `isBehind` may have become false; `next` does so too. */
  admit(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      if (this.isBehind()) return;
      for (const admit of this.waiting.splice(0, this.admittedAtOnce)) admit();
      this.admit();
    });
  }
}
