import { webhooks } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import type { RunningService } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { orchestratorConfig, startRunOrchestrator } from '../index.js';
import { executeAttempt } from '../testing/executor.js';
import { openOrchestrator } from '../testing/orchestrator-fixture.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const SETTINGS = { OPERATOR_UNLOCK: '127.0.0.0/8', WEBHOOK_RETRY_MS: '100' };
const fixture = await openOrchestrator(SETTINGS);
const { fakes, workspaceId: workspace_id } = fixture;
const receiver = new WebhookReceiver(fakes.signingKey);
const RUNS = 12;

const startSecond = async (): Promise<RunningService> =>
  await startRunOrchestrator(
    orchestratorConfig({
      DATABASE_URL: fixture.database.url,
      NATS_URL: fixture.natsUrl,
      BLOB_FOLDER: fixture.blobFolder,
      MIGRATE_ON_START: 'false',
      RECONCILE_MS: '100',
      LOG_LEVEL: 'fatal',
      ...SETTINGS,
    }),
  );

describe('deliveries of webhooks by several instances', () => {
  const pack = fakes.add(publish(wordPack(1)));
  let agent: Awaited<ReturnType<typeof fixture.scripted>>;
  let webhook_id: string;

  beforeAll(async () => {
    await receiver.listen();
    agent = await fixture.scripted('agent');
    const spec = { name: 'hook', url: receiver.url(), events: ['run.completed' as const], enabled: true };
    webhook_id = (await fixture.bus.call(webhooks.create, { workspace_id, spec, actor: 'tests' })).id;
    fakes.execute = (job, bus) => executeAttempt(job, bus);
  });
  afterAll(() => receiver.close());

  const finishRuns = async (count: number) =>
    await Promise.all(
      Array.from({ length: count }, async () => {
        const { id } = await fixture.createRun(pack.version.id, [agent]);
        return (await fixture.expectRunStatus(id, 'completed')).id;
      }),
    );
  const log = async () =>
    (await fixture.bus.call(webhooks.deliveries, { workspace_id, webhook_id, limit: 200 })).items;
  const allDelivered = () =>
    waitFor(async () => {
      const deliveries = await log();
      return deliveries.every(({ status }) => status === 'delivered') && deliveries;
    });

  test('two instances deliver each event once between them', async () => {
    receiver.respond = () => 200;
    const second = await startSecond();
    const runs = await finishRuns(RUNS);
    const deliveries = await allDelivered();
    expect(deliveries.map(({ run_id }) => run_id).sort()).toEqual(runs.sort());
    expect(receiver.received.map(({ id }) => id).sort()).toEqual(deliveries.map(({ id }) => id).sort());
    await second.close();
  });

  test('what a restart interrupts is delivered after it, with the same id and in the order of its run', async () => {
    receiver.received.length = 0;
    const hung = new Set<string>();
    receiver.respond = ({ id }) => {
      hung.add(id);
      return undefined;
    };
    const runs = await finishRuns(2);
    await waitFor(async () => hung.size === 2);
    await fixture.stopOrchestrator();
    receiver.respond = () => 200;
    await fixture.startOrchestrator();
    const deliveries = (await allDelivered()).filter(({ run_id }) => runs.includes(run_id ?? ''));
    const accepted = receiver.received.flatMap(({ id, status }) => (status === 200 ? [id] : [])).sort();
    const ids = deliveries.map(({ id }) => id).sort();
    expect([[...hung].sort(), accepted]).toEqual([ids, ids]);
  });

  test('an attempt whose instance died is made again by another, once its lease has ended', async () => {
    receiver.received.length = 0;
    receiver.respond = () => 503;
    const [run] = await finishRuns(1);
    await waitFor(async () => receiver.received.length > 0);
    await fixture.stopOrchestrator();
    // As an instance leaves it that was killed while it sent.
    const lease = (when: string) =>
      fixture.database.query(
        `UPDATE runs.webhook_deliveries SET lease_until = now() + interval '${when}', due_at = now() WHERE run_id = $1`,
        [run],
      );
    await lease('1 hour');
    receiver.respond = () => 200;
    const acceptedOf = (id: string | undefined) =>
      receiver.received.filter(({ body, status }) => {
        const of = 'run' in body.data ? body.data.run.id : undefined;
        return status === 200 && of === id;
      });
    await fixture.startOrchestrator();
    const [other] = await finishRuns(1);
    await waitFor(async () => acceptedOf(other).length === 1);
    expect(acceptedOf(run)).toEqual([]);
    await lease('-1 second');
    await allDelivered();
    expect(acceptedOf(run)).toHaveLength(1);
  });
});
