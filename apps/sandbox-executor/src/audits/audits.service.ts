import { createRequire } from 'node:module';
import { Bus, Handles, type Serves } from '@agentclash/bus';
import { type AuditReport, auditJobs, auditLeases, ContractError, type In } from '@agentclash/contracts';
import { auditPack } from '@agentclash/pack-audit';
import {
  inSpan,
  isUnavailable,
  LOGGER,
  type Logger,
  retryWhileUnavailable,
  withLogFields,
} from '@agentclash/service-kit';
import { ThreadOverrun } from '@agentclash/threads';
import { type BeforeApplicationShutdown, Inject } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';
import { AuditPorts } from './audit-ports.js';
import { AuditedVersions, type ClaimedAudit } from './audited-versions.js';
import { boundedReport } from './bounded-report.js';
import { AuditAbandoned, HeldAudit } from './held-audit.js';

const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** A registry that rolls, or whose database restarts, ends no audit. */
const UNAVAILABLE_MS_MAX = 120_000;

const OVERDUE_FIX = 'Run it as a quick audit, or raise AUDIT_TIMEOUT_SECONDS of the executors.';

type End = In<typeof auditLeases.finish>['end'];

/** Runs audits of published versions. A killed executor loses its lease, and the audit is delivered again. */
@Handles(auditJobs)
export class AuditsService implements Serves<typeof auditJobs>, BeforeApplicationShutdown {
  private readonly audits = new Set<HeldAudit>();
  private isStopping = false;

  constructor(
    private readonly bus: Bus,
    private readonly versions: AuditedVersions,
    private readonly ports: AuditPorts,
    @Inject(MACHINE) private readonly machine: Pick<Machine, 'executorId' | 'auditMs'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run({ audit_id }: In<typeof auditJobs.run>): Promise<void> {
    if (this.isStopping) throw new ContractError('unavailable', 'The executor is stopping.');
    const { executorId: executor_id, auditMs } = this.machine;
    const { audit } = await this.bus.call(auditLeases.claim, { audit_id, executor_id });
    if (audit === null) return;
    const held = new HeldAudit({ audit_id, executor_id, delivery: audit.delivery }, this.bus, auditMs);
    this.audits.add(held);
    if (this.isStopping) held.abandon('stopped');
    try {
      await withLogFields({ audit_id }, () => inSpan('audit', {}, () => this.audit(audit, held)));
    } finally {
      this.audits.delete(held);
      await held.letGo();
    }
  }

  /** Audits of an executor that stops are queued again at once. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const held of this.audits) held.abandon('stopped');
  }

  private async audit(audit: ClaimedAudit, held: HeldAudit): Promise<void> {
    const end = await this.endOf(audit, held);
    if (end === undefined) return;
    const isAccepted = await held.finish(end);
    if (!isAccepted) this.logger.warn('audit is held no longer, its result is dropped');
  }

  /** Undefined where there is nothing to report: the audit was cancelled, or another executor has it. */
  private async endOf(audit: ClaimedAudit, held: HeldAudit): Promise<End | undefined> {
    try {
      return { report: await this.reportOf(audit, held) };
    } catch (error) {
      const reason: unknown = held.signal.aborted ? held.signal.reason : error;
      if (reason instanceof AuditAbandoned) return this.abandoned(reason);
      return { error: this.failureOf(error) };
    }
  }

  private async reportOf(audit: ClaimedAudit, held: HeldAudit): Promise<AuditReport> {
    const pack = await retryWhileUnavailable(() => this.versions.read(audit, held.signal), {
      timeoutMs: UNAVAILABLE_MS_MAX,
      isRetryable: (error) => isUnavailable(error) && !held.signal.aborted,
    });
    const report = await auditPack(pack, {
      ports: this.ports.of(audit.workspace_id, held.signal),
      concurrency: this.ports.trialsMax,
      isQuick: audit.quick,
      version: VERSION,
      isInterruptible: (reason) => reason instanceof AuditAbandoned && reason.because === 'overdue',
      interruptionTexts: { cause: this.overdueText, fix: OVERDUE_FIX },
      onProgress: (progress) => {
        held.progress = progress;
      },
      ...(audit.seed !== null && { seed: audit.seed }),
    });
    return boundedReport(report);
  }

  private abandoned({ because }: AuditAbandoned): End | undefined {
    this.logger.info({ reason: because }, 'audit is abandoned');
    if (because === 'stopped') return { released: true };
    if (because !== 'overdue') return undefined;
    // The pack was not even read in that time.
    return { error: { code: 'time_limit', message: `The audit ${this.overdueText}. ${OVERDUE_FIX}` } };
  }

  private get overdueText(): string {
    return `took longer than ${this.machine.auditMs / 1_000} seconds`;
  }

  private failureOf(error: unknown): { code: string; message: string } {
    if (error instanceof ContractError) return { code: error.code, message: error.message };
    if (error instanceof ThreadOverrun) {
      const message = `Scoring a trial takes more ${error.resource} than there is. Simplify the patterns and schemas of the graders.`;
      return { code: 'scoring_limit', message };
    }
    this.logger.error({ err: error }, 'audit failed by an internal error');
    return {
      code: 'internal',
      message: 'The audit failed by an internal error, which is in the log of the executor.',
    };
  }
}
