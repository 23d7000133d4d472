import {
  AUDIT_LEASE_MS,
  type AuditCertificate,
  type AuditProgress,
  type AuditReport,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

/** An audit as its executor holds it. */
export interface Holding {
  id: string;
  executorId: string;
  delivery: number;
}

export interface ClaimedAudit {
  workspaceId: string;
  versionId: string;
  delivery: number;
  slug: string;
  number: number;
  digest: string;
  isQuick: boolean;
  seed: string | null;
}

export type AuditEnd =
  | { certificate: AuditCertificate; report: AuditReport }
  | { error: { code: string; message: string } };

interface Sent {
  id: string;
  delivery: number;
  sentAt: Date;
}

/** Executors that one audit may lose: it may be what ends them. */
const LOSSES_MAX = 3;
/** A job that no executor took is sent again: it may have been lost. */
const RESEND_MS = 120_000;
const LOST = {
  code: 'executor_lost',
  message: `The executor of this audit stopped ${LOSSES_MAX} times before the audit ended. Look into its log for the reason: the audit may take more memory than the executor has.`,
};

/** Audits as executors work on them: every change is conditional on who holds the audit. */
@Injectable()
export class AuditWorkStore {
  constructor(private readonly db: Database) {}

  /** Undefined where it has ended, or another executor holds it. A repeated claim of the same executor is another delivery. */
  async claim(id: string, executorId: string): Promise<ClaimedAudit | undefined> {
    const [claimed] = await this.db.$queryRaw<ClaimedAudit[]>`
      UPDATE audits a SET status = 'running', executor_id = ${executorId}, delivery = a.delivery + 1,
        lease_until = now() + ${AUDIT_LEASE_MS} * interval '1 ms', progress = NULL,
        started_at = coalesce(a.started_at, now())
      FROM versions v JOIN packs p ON p.id = v.pack_id
      WHERE a.id = ${id}::uuid AND a.status = 'queued' AND v.id = a.version_id
      RETURNING a.workspace_id::text AS "workspaceId", a.version_id::text AS "versionId", a.delivery,
        p.slug, v.number, v.digest, a.is_quick AS "isQuick", a.seed`;
    return claimed;
  }

  /** The status after the renewal; undefined where another delivery holds the audit. */
  async renew(held: Holding, progress: AuditProgress | null): Promise<'running' | 'cancelled' | undefined> {
    const text = progress === null ? null : JSON.stringify(progress);
    const renewed = await this.db.$executeRaw`
      UPDATE audits SET lease_until = now() + ${AUDIT_LEASE_MS} * interval '1 ms', progress = ${text}
      WHERE id = ${held.id}::uuid AND status = 'running' AND executor_id = ${held.executorId}
        AND delivery = ${held.delivery}`;
    if (renewed === 1) return 'running';
    const isCancelled = (await this.db.audit.count({ where: { id: held.id, status: 'cancelled' } })) > 0;
    return isCancelled ? 'cancelled' : undefined;
  }

  /** The version of the audit whose end was stored; undefined where it is held no longer. */
  async finish({ id, executorId, delivery }: Holding, end: AuditEnd): Promise<string | undefined> {
    const [row] = await this.db.audit.updateManyAndReturn({
      where: { id, executorId, delivery, status: 'running' },
      data: {
        finishedAt: new Date(),
        leaseUntil: null,
        progress: null,
        ...('report' in end
          ? {
              status: 'completed',
              certificate: JSON.stringify(end.certificate),
              report: JSON.stringify(end.report),
            }
          : { status: 'failed', errorCode: end.error.code, errorMessage: end.error.message }),
      },
      select: { versionId: true },
    });
    return row?.versionId;
  }

  /** Returns an audit to the queue. A delivery that its executor gave back in order does not count. */
  async release({ id, executorId, delivery }: Holding): Promise<boolean> {
    const { count } = await this.db.audit.updateMany({
      where: { id, executorId, delivery, status: 'running' },
      data: { status: 'queued', leaseUntil: null, sentAt: null, progress: null, executorId: null },
    });
    return count === 1;
  }

  /** Audits whose executor stopped renewing: to be delivered again, or failed after too many deliveries. */
  async expire(): Promise<{ requeued: number; failed: number }> {
    const failed = await this.db.$executeRaw`
      UPDATE audits SET status = 'failed', error_code = ${LOST.code}, error_message = ${LOST.message},
        finished_at = now(), lease_until = NULL, progress = NULL
      WHERE status = 'running' AND lease_until < now() AND losses + 1 >= ${LOSSES_MAX}`;
    const requeued = await this.db.$executeRaw`
      UPDATE audits SET status = 'queued', lease_until = NULL, sent_at = NULL, progress = NULL, executor_id = NULL,
        losses = losses + 1
      WHERE status = 'running' AND lease_until < now()`;
    return { requeued, failed };
  }

  /**
   * Takes the oldest queued audit of each workspace without a running one, where no job of it is on its way: workspaces
   * take turns, however many audits one of them has queued.
   */
  async takeDue(): Promise<Sent[]> {
    return await this.db.$queryRaw<Sent[]>`
      UPDATE audits SET sent_at = now()
      WHERE id IN (
        SELECT DISTINCT ON (q.workspace_id) q.id FROM audits q
        WHERE q.status = 'queued' AND NOT EXISTS (
          SELECT 1 FROM audits r WHERE r.workspace_id = q.workspace_id AND r.status = 'running')
        ORDER BY q.workspace_id, q.id)
      AND status = 'queued' AND (sent_at IS NULL OR sent_at < now() - ${RESEND_MS} * interval '1 ms')
      RETURNING id::text, delivery, sent_at AS "sentAt"`;
  }

  /** Lets an audit be sent again whose job could not be sent. */
  async unsend(id: string): Promise<void> {
    await this.db.audit.updateMany({ where: { id, status: 'queued' }, data: { sentAt: null } });
  }
}
