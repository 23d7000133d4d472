import { Bus } from '@agentclash/bus';
import { AUDIT_LEASE_MS, type AuditProgress, auditLeases, type In } from '@agentclash/contracts';
import { isUnavailable, retryWhileUnavailable } from '@agentclash/service-kit';

const RENEW_EVERY_MS = 3_000;
/** Shorter than the lease: another executor may own the audit after it. */
const SILENT_MS_MAX = AUDIT_LEASE_MS - 2 * RENEW_EVERY_MS;

/** The reason for which an audit ends early: without a report, but for `overdue`. */
export type Abandoned = 'cancelled' | 'lost' | 'stopped' | 'overdue';

/** The reason of an aborted audit. */
export class AuditAbandoned extends Error {
  override readonly name = 'AuditAbandoned';

  constructor(readonly because: Abandoned) {
    super(`the audit is ${because}`);
  }
}

export type Held = Pick<In<typeof auditLeases.renew>, 'audit_id' | 'executor_id' | 'delivery'>;

/** An audit that this executor holds: its lease is renewed, and its progress reported, until it is let go. */
export class HeldAudit {
  progress: AuditProgress | null = null;
  private readonly work = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly deadline: NodeJS.Timeout;
  private renewing: Promise<void> | undefined;
  private lastRenewedAt = performance.now();

  constructor(
    private readonly held: Held,
    private readonly bus: Bus,
    timeoutMs: number,
  ) {
    this.timer = setInterval(() => this.renewOnce(), RENEW_EVERY_MS);
    this.deadline = setTimeout(() => this.abandon('overdue'), timeoutMs);
  }

  get signal(): AbortSignal {
    return this.work.signal;
  }

  abandon(because: Abandoned): void {
    this.work.abort(new AuditAbandoned(because));
  }

  /** False where the audit is held no longer. */
  async finish(end: In<typeof auditLeases.finish>['end']): Promise<boolean> {
    await this.letGo();
    const { accepted } = await retryWhileUnavailable(
      () => this.bus.call(auditLeases.finish, { ...this.held, end }),
      { timeoutMs: SILENT_MS_MAX, isRetryable: isUnavailable },
    );
    return accepted;
  }

  async letGo(): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.deadline);
    await this.renewing;
  }

  private renewOnce(): void {
    this.renewing ??= this.renew().finally(() => {
      this.renewing = undefined;
    });
  }

  private async renew(): Promise<void> {
    try {
      const { fate } = await this.bus.call(auditLeases.renew, { ...this.held, progress: this.progress });
      this.lastRenewedAt = performance.now();
      if (fate !== 'held') this.abandon(fate);
    } catch {
      if (performance.now() - this.lastRenewedAt > SILENT_MS_MAX) this.abandon('lost');
    }
  }
}
