/** Places for attempts at work. One that goes on after a wait comes before those that would begin. */
export class WorkPlaces {
  private taken = 0;
  private readonly waiting: { isUrgent: boolean; enter: () => void }[] = [];

  constructor(private readonly max: number) {}

  /** Waits for a place; returns what gives it back. With an aborted signal nobody waits, nor takes one. */
  async take({ isUrgent = false, signal }: { isUrgent?: boolean; signal?: AbortSignal } = {}) {
    if (signal?.aborted) return () => {};
    if (this.taken < this.max) {
      this.taken += 1;
      return this.release();
    }
    return await new Promise<() => void>((resolve) => {
      const entry = { isUrgent, enter: () => resolve(this.release()) };
      const ahead = isUrgent ? this.waiting.findIndex((other) => !other.isUrgent) : -1;
      this.waiting.splice(ahead < 0 ? this.waiting.length : ahead, 0, entry);
      const giveUp = () => {
        const index = this.waiting.indexOf(entry);
        if (index < 0) return;
        this.waiting.splice(index, 1);
        resolve(() => {});
      };
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  private release(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.waiting.shift();
      if (next) next.enter();
      else this.taken -= 1;
    };
  }
}
