import { type WebhookDelivery, type WebhookSpec, webhooks } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import { executeAttempt } from './executor.js';
import type { OrchestratorFixture } from './orchestrator-fixture.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** Webhooks of the fixture's workspace, and a server that receives them. Call at the top level of an `*.int-spec.ts`. */
export function webhooksOf(fixture: OrchestratorFixture) {
  const { fakes, workspaceId: workspace_id } = fixture;
  const receiver = new WebhookReceiver(fakes.signingKey);
  const pack = fakes.add(publish(wordPack(1)));
  let agent: Awaited<ReturnType<typeof fixture.scripted>>;
  jest.setTimeout(120_000);

  beforeAll(async () => {
    await receiver.listen();
    agent = await fixture.scripted('agent');
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.respond = () => 204;
    fakes.execute = (job, bus) => executeAttempt(job, bus);
  });

  const ofWebhook = (webhook_id: string) => ({ workspace_id, webhook_id });
  const deliveriesOf = async (webhook_id: string) =>
    (await fixture.bus.call(webhooks.deliveries, { ...ofWebhook(webhook_id), limit: 50 })).items;
  const started = async (request: Parameters<typeof fixture.createRun>[2] = {}) =>
    await fixture.createRun(pack.version.id, [agent], request);
  return {
    receiver,
    pack,
    ofWebhook,
    deliveriesOf,
    started,
    create: (spec: Partial<WebhookSpec> = {}) =>
      fixture.bus.call(webhooks.create, {
        workspace_id,
        actor: 'tests',
        spec: { name: newId(), url: receiver.url(), events: ['run.completed'], enabled: true, ...spec },
      }),
    remove: (webhook_id: string) => fixture.bus.call(webhooks.remove, ofWebhook(webhook_id)),
    finishedRun: async (request: Parameters<typeof fixture.createRun>[2] = {}) => {
      const { id } = await started(request);
      return await fixture.expectRunStatus(id, 'completed');
    },
    /** The first delivery with this status, once there is one. */
    ended: (webhook_id: string, status: WebhookDelivery['status']) =>
      waitFor(async () => (await deliveriesOf(webhook_id)).find((delivery) => delivery.status === status)),
  };
}
