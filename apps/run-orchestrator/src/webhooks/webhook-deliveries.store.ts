import type { WebhookDelivery } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Prisma, WebhookDelivery as Row } from '../generated/client.js';

interface DeliveryList {
  webhookId: string;
  status?: string | undefined;
  runId?: string | undefined;
  /** The last id of the slice before. */
  after?: string | undefined;
  take: number;
}

interface NewTest {
  workspaceId: string;
  webhookId: string;
  event: string;
  payload: object;
}

/** The log of deliveries, for the workspace. `WebhookQueueStore` sends them. */
@Injectable()
export class WebhookDeliveriesStore {
  constructor(private readonly db: Database) {}

  /** Newest first. */
  async list({ webhookId, status, runId, after, take }: DeliveryList): Promise<WebhookDelivery[]> {
    const where = {
      webhookId,
      ...(status !== undefined && { status }),
      ...(runId !== undefined && { runId }),
      ...(after !== undefined && { id: { lt: after } }),
    };
    const rows = await this.db.webhookDelivery.findMany({ where, orderBy: { id: 'desc' }, take });
    return rows.map(asDelivery);
  }

  async find(webhookId: string, id: string): Promise<WebhookDelivery | undefined> {
    const row = await this.db.webhookDelivery.findFirst({ where: { webhookId, id } });
    return row === null ? undefined : asDelivery(row);
  }

  /** Makes it due now; an attempt that is under way is followed by another. */
  async requestAgain(webhookId: string, id: string): Promise<void> {
    await this.db.webhookDelivery.updateMany({
      where: { webhookId, id },
      data: { status: 'pending', dueAt: new Date(), firstAttemptAt: null },
    });
  }

  async addTest({ event, payload, ...of }: NewTest): Promise<WebhookDelivery> {
    const id = newId();
    const data = { id, ...of, event, factId: id, payload: payload as Prisma.InputJsonObject };
    return asDelivery(await this.db.webhookDelivery.create({ data: { ...data, dueAt: new Date() } }));
  }

  async countTests(webhookId: string, event: string): Promise<number> {
    return await this.db.webhookDelivery.count({ where: { webhookId, event, status: 'pending' } });
  }

  /** Fails what is pending. */
  async failPending(webhookId: string, error: string): Promise<void> {
    await this.db.webhookDelivery.updateMany({
      where: { webhookId, status: 'pending' },
      data: { status: 'failed', error },
    });
  }

  /** Removes some deliveries that are not pending and were created before `moment`; how many. */
  async removeEnded(moment: Date, take: number): Promise<number> {
    return await this.db.$executeRaw`
      DELETE FROM webhook_deliveries WHERE id IN (
        SELECT id FROM webhook_deliveries WHERE created_at < ${moment} AND status <> 'pending' LIMIT ${take})`;
  }
}

function asDelivery(row: Row): WebhookDelivery {
  return {
    id: row.id,
    webhook_id: row.webhookId,
    event: row.event,
    run_id: row.runId,
    status: row.status as WebhookDelivery['status'],
    attempts: row.attempts,
    next_attempt_at: row.status === 'pending' ? row.dueAt.toISOString() : null,
    last_attempt_at: row.lastAttemptAt?.toISOString() ?? null,
    response_status: row.responseStatus,
    error: row.error,
    created_at: row.createdAt.toISOString(),
    payload: row.payload as WebhookDelivery['payload'],
  };
}
