import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database.js';

/** One attempt of a delivery. `attempts`, this one included, fences its result. */
export interface ClaimedDelivery {
  id: string;
  webhookId: string;
  workspaceId: string;
  event: string;
  url: string;
  body: string;
  attempts: number;
  firstAttemptAt: Date;
}

/** How an attempt ended. `isFinal`: no other follows. */
export interface AttemptEnd {
  isDelivered: boolean;
  isFinal: boolean;
  responseStatus: number | null;
  error: string | null;
  /** Of the next attempt. */
  dueAt?: Date | undefined;
  /** Why the webhook is disabled at once. */
  disable?: string | undefined;
}

interface ClaimOptions {
  now: Date;
  leaseMs: number;
  take: number;
  /** Deliveries of one workspace that are sent at a time. */
  workspaceMax: number;
}

/** The webhook is disabled when so many deliveries in a row have failed for good. */
const FAILED_DELIVERIES_MAX = 5;

/** Deliveries on their way. Several instances may claim: each attempt belongs to one. */
@Injectable()
export class WebhookQueueStore {
  constructor(private readonly db: Database) {}

  /**
   * Of each run and webhook the first pending delivery alone, so that one that fails holds back those after it; of each
   * workspace in turn.
   */
  async claim({ now, leaseMs, take, workspaceMax }: ClaimOptions): Promise<ClaimedDelivery[]> {
    const leaseUntil = new Date(now.getTime() + leaseMs);
    return await this.db.$queryRaw<ClaimedDelivery[]>`
      WITH heads AS (
        SELECT DISTINCT ON (webhook_id, coalesce(run_id, id)) id, webhook_id, workspace_id, due_at, lease_until
          FROM webhook_deliveries WHERE status = 'pending'
         ORDER BY webhook_id, coalesce(run_id, id), position),
      busy AS (SELECT workspace_id, count(*) AS sending FROM heads WHERE lease_until > ${now} GROUP BY workspace_id),
      due AS (
        SELECT id, workspace_id, due_at, row_number() OVER (PARTITION BY webhook_id ORDER BY due_at, id) AS of_webhook
          FROM heads WHERE due_at <= ${now} AND (lease_until IS NULL OR lease_until <= ${now})),
      ranked AS (
        SELECT d.id, row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.of_webhook, d.due_at, d.id)
                     + coalesce(b.sending, 0) AS turn
          FROM due d LEFT JOIN busy b ON b.workspace_id = d.workspace_id),
      chosen AS (SELECT id FROM ranked WHERE turn <= ${workspaceMax} ORDER BY turn, id LIMIT ${take})
      UPDATE webhook_deliveries d
         SET attempts = attempts + 1, lease_until = ${leaseUntil}, last_attempt_at = ${now},
             first_attempt_at = coalesce(first_attempt_at, ${now})
        FROM chosen c, webhooks w
       WHERE d.id = c.id AND w.id = d.webhook_id AND d.status = 'pending'
         AND (d.lease_until IS NULL OR d.lease_until <= ${now})
      RETURNING d.id, d.webhook_id AS "webhookId", d.workspace_id AS "workspaceId", d.event, w.url,
                d.payload::text AS body, d.attempts, d.first_attempt_at AS "firstAttemptAt"`;
  }

  async hasDue(now: Date): Promise<boolean> {
    const where = { status: 'pending', dueAt: { lte: now } };
    return (await this.db.webhookDelivery.findFirst({ where, select: { id: true } })) !== null;
  }

  /**
   * Records the end of an attempt, unless another has begun since. Returns why the webhook was disabled by it, if it was.
   */
  async record(claimed: ClaimedDelivery, end: AttemptEnd): Promise<string | undefined> {
    return await this.db.$transaction(async (tx) => {
      const { id, webhookId, attempts } = claimed;
      const { isDelivered, isFinal, responseStatus, error, dueAt } = end;
      const { count } = await tx.webhookDelivery.updateMany({
        where: { id, attempts, status: 'pending' },
        data: {
          status: isDelivered ? 'delivered' : isFinal ? 'failed' : 'pending',
          leaseUntil: null,
          responseStatus,
          error,
          ...(dueAt && { dueAt }),
        },
      });
      if (count === 0) return undefined;
      if (isDelivered) await forgetFailures(tx, webhookId);
      return isFinal && !isDelivered ? await countFailure(tx, webhookId, end) : undefined;
    });
  }

  /** Gives an attempt back that did not happen. */
  async release({ id, attempts }: ClaimedDelivery): Promise<void> {
    await this.db.webhookDelivery.updateMany({
      where: { id, attempts, status: 'pending' },
      data: { leaseUntil: null },
    });
  }
}

async function forgetFailures(tx: Transaction, id: string): Promise<void> {
  await tx.webhook.updateMany({ where: { id, failedDeliveries: { gt: 0 } }, data: { failedDeliveries: 0 } });
}

/** Disables the webhook after too many, and fails what is pending of it. */
async function countFailure(
  tx: Transaction,
  id: string,
  { disable, error }: AttemptEnd,
): Promise<string | undefined> {
  const failedDeliveries = { increment: 1 };
  const after = await tx.webhook.update({ where: { id }, data: { failedDeliveries } });
  if (!after.enabled) return undefined;
  if (disable === undefined && after.failedDeliveries < FAILED_DELIVERIES_MAX) return undefined;
  const disabledReason =
    disable ?? `${after.failedDeliveries} deliveries in a row failed, the last one: ${error}`;
  await tx.webhook.update({ where: { id }, data: { enabled: false, disabledReason } });
  await tx.webhookDelivery.updateMany({
    where: { webhookId: id, status: 'pending' },
    data: { status: 'failed', error: 'not sent: the webhook was disabled' },
  });
  return disabledReason;
}
