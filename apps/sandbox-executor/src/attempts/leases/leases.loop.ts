import { Bus } from '@agentclash/bus';
import { type HeldFate, leases } from '@agentclash/contracts';
import { AttemptEnded, type AttemptStage } from '@agentclash/engine';
import { Batcher, LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { MACHINE, type Machine } from '../../machine/machine.js';

export const RENEW_EVERY_MS = 10_000;
const RENEWED_AT_ONCE = 500;
/** A stage that lasts longer is reported before the next renewal. */
const STAGE_REPORT_DELAY_MS = 250;
/** Shorter than the 45 s after which the orchestrator takes the delivery for lost. */
const SILENT_MS_MAX = 40_000;
/** Requests to an unavailable orchestrator are repeated for as long as the lease may still be held. */
export const RECONNECT_TIMEOUT_MS = SILENT_MS_MAX;

/** Which delivery is held, and by whom. */
export interface Holding {
  attempt_id: string;
  delivery: number;
  executor_id: string;
}

/** A delivery that is being worked on. */
export class Lease {
  private reached: AttemptStage = 'preparing';
  private reportTimer: NodeJS.Timeout | undefined;
  private lastRenewedAt = Date.now();

  constructor(
    readonly holding: Holding,
    private readonly work: AbortController,
    private readonly report: (lease: Lease) => void,
  ) {}

  get stage(): AttemptStage {
    return this.reached;
  }

  /** Sets the stage of the delivery and reports it soon. */
  reach(stage: AttemptStage): void {
    if (stage === this.reached) return;
    this.reached = stage;
    this.cancelReport();
    this.reportTimer = setTimeout(() => this.report(this), STAGE_REPORT_DELAY_MS);
  }

  cancelReport(): void {
    clearTimeout(this.reportTimer);
  }

  /** Ends the work when the delivery is cancelled or belongs to another executor. */
  applyFate(fate: HeldFate): void {
    this.lastRenewedAt = Date.now();
    if (fate === 'cancelled') this.work.abort();
    if (fate === 'lost') this.work.abort(leaseLost());
  }

  /** Ends the work when no renewal succeeded for so long that another executor may own the delivery. */
  onRenewalFailed(): void {
    if (Date.now() - this.lastRenewedAt > SILENT_MS_MAX) this.work.abort(leaseLost());
  }
}

/**
 * Keeps the leases of all deliveries that are worked on, many with one request. They are renewed until the handlers have
 * ended, which the shutdown awaits before its last phase.
 */
@Injectable()
export class Leases implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly held = new Set<Lease>();
  private readonly renewals: Batcher<Lease, HeldFate>;
  private readonly task: PeriodicTask;
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly bus: Bus,
    @Inject(MACHINE) private readonly machine: Pick<Machine, 'executorId'>,
    @Inject(LOGGER) logger: Pick<Logger, 'warn'>,
  ) {
    this.task = new PeriodicTask({
      run: () => this.renewAll(),
      everyMs: RENEW_EVERY_MS,
      failureMessage: 'renewing leases failed',
      logger,
    });
    this.renewals = new Batcher((batch) => this.requestRenewal(batch), {
      itemsMax: RENEWED_AT_ONCE,
      isSharedFailure: () => true,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.task.onApplicationBootstrap();
  }

  /** Awaits the renewals under way. The bus is still open. */
  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
    for (const lease of this.held) lease.cancelReport();
    await Promise.all(this.underWay);
  }

  hold(holding: Holding, work: AbortController): Lease {
    const lease = new Lease(holding, work, (changed) => void this.renew(changed));
    this.held.add(lease);
    return lease;
  }

  /** Renews all leases before their time: the state of some has changed. */
  renewNow(): void {
    if (this.held.size > 0) this.task.wake();
  }

  release(lease: Lease): void {
    lease.cancelReport();
    this.held.delete(lease);
  }

  private async renewAll(): Promise<void> {
    await Promise.all(Array.from(this.held, (lease) => this.renew(lease)));
  }

  private async renew(lease: Lease): Promise<void> {
    const renewal = this.renewOne(lease);
    this.underWay.add(renewal);
    await renewal;
    this.underWay.delete(renewal);
  }

  /** Never rejects. */
  private async renewOne(lease: Lease): Promise<void> {
    try {
      const fate = await this.renewals.add(lease);
      // A lease that was released meanwhile is not held: expected; not logged.
      if (this.held.has(lease)) lease.applyFate(fate);
    } catch {
      lease.onRenewalFailed();
    }
  }

  private async requestRenewal(batch: readonly Lease[]): Promise<HeldFate[]> {
    const { executorId: executor_id } = this.machine;
    const items = batch.map(({ holding: { attempt_id, delivery }, stage: state }) => {
      return { attempt_id, delivery, state };
    });
    const reply = await this.bus.call(leases.renew, { executor_id, items });
    return reply.items.map(({ fate }) => fate);
  }
}

/** The end of work whose delivery belongs to another executor. */
export function leaseLost(): AttemptEnded {
  return new AttemptEnded({
    because: 'infra',
    code: 'lease_lost',
    message: 'another delivery owns this attempt',
  });
}
