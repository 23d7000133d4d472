import { ContractError } from '@agentclash/contracts';

export interface TurnLimits {
  /** Read at the same time. */
  atOnceMax: number;
  /** Of these for one workspace: its hostile packs leave the others a turn. */
  perWorkspaceMax: number;
  waitingMsMax: number;
}

interface Waiting {
  workspaceId: string;
  begin: () => void;
}

/** Who may read now. The rest wait in the order they came; a workspace that has its share is passed over. */
export class ReadingTurns {
  private readonly reading: string[] = [];
  private waiting: Waiting[] = [];

  constructor(private readonly limits: TurnLimits) {}

  /** Resolves when it is the workspace's turn; `end` gives it back. Fails with `unavailable` after too long a wait. */
  async begin(workspaceId: string): Promise<void> {
    if (this.mayBegin(workspaceId)) {
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

  end(workspaceId: string): void {
    this.reading.splice(this.reading.indexOf(workspaceId), 1);
    const next = this.waiting.find((entry) => this.mayBegin(entry.workspaceId));
    if (next === undefined) return;
    this.waiting = this.waiting.filter((other) => other !== next);
    this.reading.push(next.workspaceId);
    next.begin();
  }

  private mayBegin(workspaceId: string): boolean {
    const { atOnceMax, perWorkspaceMax } = this.limits;
    const own = this.reading.filter((id) => id === workspaceId).length;
    return this.reading.length < atOnceMax && own < perWorkspaceMax;
  }
}
