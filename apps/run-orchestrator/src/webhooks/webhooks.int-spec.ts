import { gateEvents, runBudgets, webhooks } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { claim, executeAttempt } from '../testing/executor.js';
import { openOrchestrator } from '../testing/orchestrator-fixture.js';
import { webhooksOf } from '../testing/webhooks-of.js';

const fixture = await openOrchestrator({
  OPERATOR_UNLOCK: '127.0.0.0/8',
  PUBLIC_URL: 'https://clash.example/',
  WEBHOOK_RETRY_MS: '50',
});
const { fakes, workspaceId: workspace_id } = fixture;
const { receiver, pack, create, remove, ended, deliveriesOf, started, finishedRun } = webhooksOf(fixture);

const decided = async (candidate_run_id: string, comparison_id: string) => {
  const facts = { baseline_run_id: newId(), verdict: 'fail' as const, exit_code: 1, decided_by: 'ci' };
  const decision = { workspace_id, comparison_id, candidate_run_id, ...facts };
  const reasons = ['regression:correctness'];
  const decided_at = new Date().toISOString();
  await fixture.bus.publish(gateEvents.decided, { ...decision, reasons, decided_at }, newId());
};

describe('webhooks of a workspace', () => {
  test('the end of a run is delivered once, signed, with its ranking and its address', async () => {
    const { id, url } = await create({ labels: { suite: 'nightly' }, pack: pack.version.slug });
    const run = await finishedRun({ labels: { suite: 'nightly', by: 'ci' }, name: 'Night' });
    const delivered = await ended(id, 'delivered');
    expect(url).toBe(receiver.url());
    const { items } = await fixture.bus.call(webhooks.list, { workspace_id, limit: 50 });
    expect(items.map((webhook) => webhook.id)).toEqual([id]);
    expect(receiver.received).toMatchObject([{ id: delivered.id, isSigned: true }]);
    expect(receiver.received[0]?.body).toMatchObject({
      type: 'run.completed',
      data: {
        workspace_id,
        run: {
          id: run.id,
          number: run.number,
          name: 'Night',
          status: 'completed',
          url: `https://clash.example/runs/${run.id}`,
        },
        counts: { total: 1, passed: 1 },
        ranking_omitted: 0,
      },
    });
    expect(delivered).toMatchObject({
      attempts: 1,
      response_status: 204,
      error: null,
      next_attempt_at: null,
    });
    await remove(id);
  });

  test('a webhook gets events of its pack and its labels alone, and none while it is disabled', async () => {
    const other = await create({ pack: 'another' });
    const labelled = await create({ labels: { suite: 'nightly' } });
    const disabled = await create({ enabled: false });
    const all = await create();
    await finishedRun({ labels: { suite: 'daily' } });
    await ended(all.id, 'delivered');
    for (const { id } of [other, labelled, disabled]) expect(await deliveriesOf(id)).toEqual([]);
    await Promise.all([other, labelled, disabled, all].map(({ id }) => remove(id)));
  });

  test('the run of a draft is reported to no webhook', async () => {
    const { id } = await create();
    const draft = publish(wordPack(1));
    const draft_expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { version } = fakes.add({ ...draft, version: { ...draft.version, draft_expires_at } });
    const run = await fixture.createRun(version.id, [await fixture.scripted('tried')]);
    await fixture.expectRunStatus(run.id, 'completed');
    await finishedRun();
    await ended(id, 'delivered');
    expect(await deliveriesOf(id)).toHaveLength(1);
    await remove(id);
  });

  test('events of a run are delivered in their order, though the first of them fails for a while', async () => {
    const { id } = await create({ events: ['run.completed', 'gate.decided'] });
    let failures = 0;
    receiver.respond = ({ body }) => {
      if (body.type !== 'run.completed' || failures === 3) return 200;
      failures += 1;
      return 503;
    };
    const run = await finishedRun();
    const [first, second] = [newId(), newId()];
    await decided(run.id, first);
    await decided(run.id, first);
    await decided(run.id, second);
    await waitFor(async () => {
      const log = await deliveriesOf(id);
      return log.length === 3 && log.every(({ status }) => status === 'delivered');
    });
    const accepted = receiver.received.filter(({ status }) => status === 200);
    expect(accepted.map(({ body }) => body.type)).toEqual(['run.completed', 'gate.decided', 'gate.decided']);
    expect(receiver.received.slice(0, 4).map(({ body }) => body.type)).toEqual(
      Array.from({ length: 4 }, () => 'run.completed'),
    );
    expect(new Set(receiver.received.slice(0, 4).map((got) => got.id)).size).toBe(1);
    expect(
      accepted.slice(1).map(({ body }) => 'comparison_id' in body.data && body.data.comparison_id),
    ).toEqual([first, second]);
    await remove(id);
  });

  test('a delivery that fails holds back its own run alone', async () => {
    const { id } = await create();
    const stuck = new Set<string>();
    receiver.respond = ({ body }) => ('run' in body.data && stuck.has(body.data.run.id) ? 500 : 200);
    fakes.execute = async (job, bus) => {
      if (stuck.size === 0) stuck.add(job.run_id);
      await executeAttempt(job, bus);
    };
    const first = await finishedRun();
    const second = await finishedRun();
    expect([...stuck]).toEqual([first.id]);
    expect((await ended(id, 'delivered')).run_id).toBe(second.id);
    await remove(id);
  });

  test('a budget that is used up is reported once', async () => {
    const { id } = await create({ events: ['budget.reached'] });
    fakes.execute = async () => {};
    const budget = { tokens: 100 };
    const { id: run_id } = await started({ stop_when: { budget } });
    const [attempt] = await fixture.attempts(run_id);
    const attempt_id = attempt?.id ?? '';
    const claimed = await claim(fixture.bus, attempt_id, 'executor-1');
    const delivery = claimed.claimed ? claimed.delivery : 0;
    for (const call_id of [newId(), newId()]) {
      const call = { run_id, attempt_id, delivery, call_id, tokens: 101, usd: 0 };
      expect(await fixture.bus.call(runBudgets.reserve, call)).toEqual({ state: 'exhausted' });
    }
    await ended(id, 'delivered');
    expect(receiver.received.map(({ body }) => body)).toMatchObject([
      { type: 'budget.reached', data: { run: { id: run_id }, budget } },
    ]);
    await remove(id);
  });
});
