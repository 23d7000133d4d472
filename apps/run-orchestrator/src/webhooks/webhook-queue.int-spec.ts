import { webhooks } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../testing/orchestrator-fixture.js';
import { WebhookQueueStore } from './webhook-queue.store.js';
import { WebhookSenderLoop } from './webhook-sender.loop.js';

const fixture = await openOrchestrator({ OPERATOR_UNLOCK: '127.0.0.0/8' });

describe('the queue of deliveries', () => {
  const workspaces = [newId(), newId()] as const;

  beforeAll(async () => {
    // This test claims.
    await fixture.get(WebhookSenderLoop).stop();
    for (const workspace_id of workspaces) {
      const spec = {
        name: 'hook',
        url: 'http://127.0.0.1:9',
        events: ['run.completed' as const],
        enabled: true,
      };
      const { id } = await fixture.bus.call(webhooks.create, { workspace_id, spec, actor: 'tests' });
      const flood = workspace_id === workspaces[0] ? 200 : 2;
      await fixture.database.query(
        `INSERT INTO runs.webhook_deliveries (id, webhook_id, workspace_id, event, fact_id, payload, due_at)
         SELECT gen_random_uuid(), $1, $2, 'webhook.test', n::text, '{}', now() - interval '1 minute' FROM generate_series(1, $3) n`,
        [id, workspace_id, flood],
      );
    }
  });

  test('a workspace with many deliveries takes some slots, and leaves the others to other workspaces', async () => {
    const queue = fixture.get(WebhookQueueStore);
    const claim = () => queue.claim({ now: new Date(), leaseMs: 60_000, take: 32, workspaceMax: 4 });
    const first = await claim();
    const of = (workspace: string) => first.filter(({ workspaceId }) => workspaceId === workspace).length;
    expect([of(workspaces[0]), of(workspaces[1])]).toEqual([4, 2]);
    expect(await claim()).toEqual([]);
    const [done] = first.filter(({ workspaceId }) => workspaceId === workspaces[0]);
    if (done === undefined) throw new Error('nothing was claimed');
    await queue.record(done, { isDelivered: true, isFinal: true, responseStatus: 200, error: null });
    expect(await claim()).toHaveLength(1);
  });

  test('the result of an attempt whose lease another instance took over changes nothing', async () => {
    const queue = fixture.get(WebhookQueueStore);
    const later = new Date(Date.now() + 120_000);
    const options = { leaseMs: 60_000, take: 1, workspaceMax: 4 };
    const [claimed] = await queue.claim({ now: later, ...options });
    if (claimed === undefined) throw new Error('nothing was claimed');
    const stale = { ...claimed, attempts: claimed.attempts - 1 };
    await queue.record(stale, { isDelivered: true, isFinal: true, responseStatus: 200, error: null });
    const [row] = await fixture.database.query(`SELECT status FROM runs.webhook_deliveries WHERE id = $1`, [
      claimed.id,
    ]);
    expect(row).toEqual({ status: 'pending' });
  });
});
