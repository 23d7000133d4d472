import { ContractError } from '@agentclash/contracts';

export interface ReadingLimiterLimits {
  /** Slots. */
  atOnceMax: number;
  /** Slots of one workspace, so that its hostile packs leave slots to others. */
  perWorkspaceMax: number;
  waitingMsMax: number;
}

interface Waiting {
  workspaceId: string;
  begin: () => void;
}

/** A semaphore for readers. Waiting work is queued in order; a workspace at its limit is skipped. */
export class ReadingLimiter {
  private readonly reading: string[] = [];
  private waiting: Waiting[] = [];

  constructor(private readonly limits: ReadingLimiterLimits) {}

  /** Resolves with a slot for the workspace; `release` frees it. Fails with `unavailable` after too long a wait. */
  async acquire(workspaceId: string): Promise<void> {
    if (this.hasSlotFor(workspaceId)) {
      this.reading.push(workspaceId);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const overdue = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== entry);
        reject(
          new ContractError('unavailable', 'Too many challenge packs are being read. Try again shortly.'),
        );
      }, this.limits.waitingMsMax);
      const begin = () => {
        clearTimeout(overdue);
        resolve();
      };
      const entry = { workspaceId, begin };
      this.waiting.push(entry);
    });
  }

  release(workspaceId: string): void {
    this.reading.splice(this.reading.indexOf(workspaceId), 1);
    const next = this.waiting.find((entry) => this.hasSlotFor(entry.workspaceId));
    if (next === undefined) return;
    this.waiting = this.waiting.filter((other) => other !== next);
    this.reading.push(next.workspaceId);
    next.begin();
  }

  private hasSlotFor(workspaceId: string): boolean {
    const { atOnceMax, perWorkspaceMax } = this.limits;
    const own = this.reading.filter((id) => id === workspaceId).length;
    return this.reading.length < atOnceMax && own < perWorkspaceMax;
  }
}
