import type { RunOfWebhook } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import type { Transaction } from '../../database.js';
import type { Prisma } from '../../generated/client.js';
import type { RunChange } from '../state/run-change.js';
import { type WebhookNotice, webhookBody } from '../state/webhook-notice.js';

/** Pending deliveries of one webhook; what comes beyond is recorded as failed. */
const PENDING_MAX = 1_000;
const QUEUE_FULL = `not sent: ${PENDING_MAX} deliveries of the webhook were pending`;

interface Recipient {
  id: string;
  isFull: boolean;
}

/** The address of the web app, where the installation knows it. */
export class WebAddress {
  constructor(private readonly origin: string | undefined) {}

  ofRun(id: string): string {
    return `${this.origin ?? ''}/runs/${id}`;
  }
}

/**
 * Writes the deliveries of what a change reports, in its transaction: the lock of the run orders them. Runs of
 * drafts report nothing. Webhooks that the product disabled, or that are of other packs or labels, get none.
 */
export async function writeNotices(tx: Transaction, change: RunChange, address: WebAddress): Promise<void> {
  for (const notice of change.notices) {
    const recipients = await recipientsOf(tx, change.run.id, notice);
    if (recipients.length === 0) continue;
    const run = await runOf(tx, change.run.id, address);
    const { now } = change;
    const { workspaceId } = change.run;
    const payload = webhookBody(notice, { now, workspaceId, run });
    await tx.webhookDelivery.createMany({
      data: recipients.map(({ id: webhookId, isFull }) => ({
        ...{ id: newId(), webhookId, workspaceId, runId: run.id, event: notice.event },
        ...{ factId: notice.factId, payload: payload as Prisma.InputJsonObject, dueAt: now },
        ...(isFull && { status: 'failed', error: QUEUE_FULL }),
      })),
      skipDuplicates: true,
    });
  }
}

async function recipientsOf(tx: Transaction, runId: string, { event }: WebhookNotice): Promise<Recipient[]> {
  return await tx.$queryRaw<Recipient[]>`
    SELECT w.id,
           (SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending'
                                   LIMIT ${PENDING_MAX}) AS pending) >= ${PENDING_MAX} AS "isFull"
      FROM runs r JOIN webhooks w ON w.workspace_id = r.workspace_id
     WHERE r.id = ${runId}::uuid AND NOT r.is_draft AND w.enabled AND ${event} = ANY (w.events)
       AND (w.pack IS NULL OR w.pack = r.pack_slug) AND r.labels @> w.labels
     ORDER BY w.id`;
}

async function runOf(tx: Transaction, id: string, address: WebAddress): Promise<RunOfWebhook> {
  const run = await tx.run.findUniqueOrThrow({
    where: { id },
    select: {
      number: true,
      name: true,
      status: true,
      packSlug: true,
      packVersionNumber: true,
      labels: true,
    },
  });
  return {
    id,
    number: run.number,
    name: run.name,
    status: run.status as RunOfWebhook['status'],
    pack: run.packSlug,
    pack_version: run.packVersionNumber,
    labels: run.labels as RunOfWebhook['labels'],
    url: address.ofRun(id),
  };
}
