import { type Webhook, WebhookSpec } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { EditableResourceStore } from '../catalogue/resources/workspace-resource.store.js';
import type { Transaction } from '../database.js';
import type { Webhook as Row } from '../generated/client.js';

type Columns = Pick<Row, 'name' | 'url' | 'events' | 'pack' | 'enabled'> & {
  labels: Record<string, string>;
  disabledReason: null;
  failedDeliveries: number;
};

@Injectable()
export class WebhooksStore extends EditableResourceStore<Row, Webhook, WebhookSpec, Columns> {
  protected readonly table = 'webhooks';

  async count(workspaceId: string): Promise<number> {
    return await this.db.webhook.count({ where: { workspaceId } });
  }

  protected rows(db: Transaction) {
    return db.webhook;
  }

  /** A replacement clears the record of failures. */
  protected columns({ name, url, events, pack, labels, enabled }: WebhookSpec): Columns {
    const cleared = { disabledReason: null, failedDeliveries: 0 };
    return { name, url, events, pack: pack ?? null, labels: labels ?? {}, enabled, ...cleared };
  }

  protected asItem(row: Row): Webhook {
    const { name, url, events, pack, enabled } = row;
    const labels = row.labels as Record<string, string>;
    return {
      id: row.id,
      name,
      url,
      events: WebhookSpec.shape.events.parse(events),
      ...(pack !== null && { pack }),
      ...(Object.keys(labels).length > 0 && { labels }),
      enabled,
      disabled_reason: row.disabledReason,
      created_at: row.createdAt.toISOString(),
      created_by: row.createdBy,
      updated_at: row.updatedAt.toISOString(),
      updated_by: row.updatedBy,
    };
  }

  protected async findUsers() {
    return {};
  }
}
