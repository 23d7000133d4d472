import type { Bus } from '@agentclash/bus';
import { ContractError, leases } from '@agentclash/contracts';
import { AttemptEnded, type AttemptStage } from '@agentclash/engine';

export const RENEW_EVERY_MS = 10_000;
/** How long a stage lasts before it is told ahead of the next renewal: whoever is quicker is not watched anyway. */
const STAGE_TOLD_AFTER_MS = 250;
/** Shorter than the 45 s after which the orchestrator takes the delivery for lost. */
const SILENT_MS_MAX = 40_000;
/** How long an orchestrator that is away is waited for: as long as the lease may still be ours. */
export const LEASE_PATIENCE_MS = SILENT_MS_MAX;

/** Which delivery is held, and by whom. */
export interface Holding {
  attempt_id: string;
  delivery: number;
  executor_id: string;
}

/**
 * Keeps one delivery's lease alive while it is worked on. It aborts the work when the lease is lost, when the attempt
 * was cancelled, and when the orchestrator was out of reach for so long that another may own the attempt by now.
 */
export class Lease {
  private stage: AttemptStage = 'preparing';
  private readonly timer: NodeJS.Timeout;
  private telling: NodeJS.Timeout | undefined;
  private lastHeardAt = Date.now();

  constructor(
    private readonly holding: Holding,
    private readonly bus: Bus,
    private readonly work: AbortController,
  ) {
    this.timer = setInterval(() => void this.renew(), RENEW_EVERY_MS);
  }

  /** Notes how far the delivery is, and soon tells. */
  reach(stage: AttemptStage): void {
    if (stage === this.stage) return;
    this.stage = stage;
    clearTimeout(this.telling);
    this.telling = setTimeout(() => void this.renew(), STAGE_TOLD_AFTER_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    clearTimeout(this.telling);
  }

  private async renew(): Promise<void> {
    try {
      const { is_cancelled } = await this.bus.call(leases.renew, { ...this.holding, state: this.stage });
      this.lastHeardAt = Date.now();
      if (is_cancelled) this.work.abort();
    } catch (error) {
      const isLost = error instanceof ContractError && ['lease_lost', 'not_found'].includes(error.code);
      if (isLost || Date.now() - this.lastHeardAt > SILENT_MS_MAX) this.work.abort(leaseLost());
    }
  }
}

/** Ends what belongs to somebody else by now. */
export function leaseLost(): AttemptEnded {
  return new AttemptEnded({
    because: 'infra',
    code: 'lease_lost',
    message: 'another delivery owns this attempt',
  });
}
