/** A slot as its holder may keep it from one call to the next. Times are monotonic milliseconds. */
export interface KeepableSlot {
  accountId: string;
  runId: string;
  /** No further call begins in it afterwards: limits that change meanwhile must take effect. */
  usableUntil: number;
}

/** A slot that no call uses is returned after this time. */
export const IDLE_MS = 2_000;
/** Longer than the interval at which the contention of an account is repeated, so that one lost message does no harm. */
export const CONTENDED_MS = 3_000;

interface Kept<Slot> {
  slot: Slot;
  keptAt: number;
}

/**
 * The slots that a process keeps between calls. A slot serves further calls of its own run only, and none is kept while
 * others wait for the account: then each call queues with those of all runs. What is returned here must be released.
 */
export class KeptSlots<Slot extends KeepableSlot> {
  /** The last one was used last. */
  private kept: Kept<Slot>[] = [];
  private readonly contendedUntil = new Map<string, number>();

  get isEmpty(): boolean {
    return this.kept.length === 0;
  }

  /** A slot for the next call of this run: the one that was used last, so that those beyond the need become idle. */
  take({ accountId, runId }: Pick<KeepableSlot, 'accountId' | 'runId'>, now: number): Slot | undefined {
    const index = this.kept.findLastIndex(
      (each) => each.slot.runId === runId && each.slot.accountId === accountId && isUsable(each, now),
    );
    return index < 0 ? undefined : this.kept.splice(index, 1)[0]?.slot;
  }

  /** False for a slot that must be released instead. */
  keep(slot: Slot, now: number): boolean {
    if (now >= slot.usableUntil || now < (this.contendedUntil.get(slot.accountId) ?? 0)) return false;
    this.kept.push({ slot, keptAt: now });
    return true;
  }

  /** Others wait for the account: its slots, and none of it is kept for a while. */
  contend(accountId: string, now: number): Slot[] {
    this.contendedUntil.set(accountId, now + CONTENDED_MS);
    return this.remove(({ slot }) => slot.accountId === accountId);
  }

  /** The slots that are idle for too long, or may be used no further. */
  expire(now: number): Slot[] {
    for (const [accountId, until] of this.contendedUntil) {
      if (now >= until) this.contendedUntil.delete(accountId);
    }
    return this.remove((each) => !isUsable(each, now));
  }

  /** All of them. */
  clear(): Slot[] {
    return this.remove(() => true);
  }

  private remove(matches: (kept: Kept<Slot>) => boolean): Slot[] {
    const removed = this.kept.filter(matches);
    if (removed.length > 0) this.kept = this.kept.filter((each) => !matches(each));
    return removed.map(({ slot }) => slot);
  }
}

function isUsable({ slot, keptAt }: Kept<KeepableSlot>, now: number): boolean {
  return now < slot.usableUntil && now - keptAt < IDLE_MS;
}
