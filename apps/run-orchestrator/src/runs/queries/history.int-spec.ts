import {
  attempts,
  evidence,
  type HistoryEvent,
  type In,
  type Out,
  type RecordedEvent,
  runs,
} from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { Blobs, newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { emit, emitEvents, eventsOf } from '../../testing/emitted-events.js';
import { claim, finish, identityOf, renew, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

describe('the history of a run', () => {
  const pack = fakes.add(publish(wordPack(8)));
  let deployments: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    deployments = [await fixture.scripted('agent')];
  });

  async function claimAll() {
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments);
    const held = [];
    for (const { id } of await fixture.attempts(run_id)) {
      const reply = await claim(fixture.bus, id, 'e');
      if (!reply.claimed) throw new Error(reply.reason);
      held.push(identityOf(reply));
    }
    return { run_id, held };
  }

  test('the history is gap-free in commit order under concurrent writes, and each attempt is in order', async () => {
    const { run_id, held } = await claimAll();
    const batches = held.flatMap((delivery) =>
      Array.from({ length: 6 }, (_, n) => ({
        delivery,
        events: { first: n * 5 + 1, types: Array(5).fill('policy.violation') },
      })),
    );
    await Promise.all(batches.map(({ delivery, events }) => emit(fixture.bus, delivery, events)));
    const count = async () =>
      (await fixture.history(run_id)).filter(({ delivery }) => delivery !== undefined).length;
    await waitFor(async () => (await count()) === batches.length * 5, { timeoutMs: 30_000 });

    const history = await fixture.history(run_id);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
    for (const { attempt_id } of held) {
      const own = history.filter((event) => event.attempt_id === attempt_id && event.delivery === 1);
      expect(own.map(({ sequence_number }) => sequence_number)).toEqual(own.map((_, index) => index + 1));
    }
  });

  test('the history holds each event once, whatever is sent again', async () => {
    const { run_id, held } = await claimAll();
    const [delivery] = held;
    if (!delivery) throw new Error('nothing held');
    const types = ['system.run.started', 'policy.violation', 'policy.violation'];
    await Promise.all([1, 2, 3].map(() => emit(fixture.bus, delivery, { types })));
    await emit(fixture.bus, delivery, { first: 2, types: ['late', 'late', 'system.output.finalized'] });
    const request = { workspace_id, attempt_id: delivery.attempt_id };
    await waitFor(async () => (await fixture.bus.call(attempts.events, request)).items.length === 4);
    const { items } = await fixture.bus.call(attempts.events, request);
    expect(items.map(({ event_type }) => event_type)).toEqual([...types, 'system.output.finalized']);
    const positions = (await fixture.history(run_id)).map(({ position }) => position);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
  });

  test('a history is filtered by event type, and reports exactly when it ends', async () => {
    const { held } = await claimAll();
    const [delivery] = held;
    if (!delivery) throw new Error('nothing held');
    const types = ['a', 'b', 'a', 'c', 'a'].map((name) => `policy.${name}`);
    await emit(fixture.bus, delivery, { types });
    const request = { workspace_id, attempt_id: delivery.attempt_id };
    const read = async (more: { event_types?: string[]; after?: number; limit: number }) => {
      const { items, has_more } = await fixture.bus.call(attempts.events, { ...request, ...more });
      return { numbers: items.map(({ sequence_number }) => sequence_number), has_more };
    };
    await waitFor(async () => (await read({ limit: 9 })).numbers.length === types.length);
    const ofType = { event_types: ['policy.a', 'policy.c'] };
    expect(await read({ ...ofType, limit: 2 })).toEqual({ numbers: [1, 3], has_more: true });
    expect(await read({ ...ofType, after: 3, limit: 2 })).toEqual({ numbers: [4, 5], has_more: false });
    expect(await read({ limit: 5 })).toEqual({ numbers: [1, 2, 3, 4, 5], has_more: false });
    expect(await read({ limit: 4 })).toMatchObject({ has_more: true });
  });

  test('the history returns large payloads whole, and to scoring as references', async () => {
    const { run_id, held } = await claimAll();
    const [delivery] = held;
    if (!delivery) throw new Error('nothing held');
    const whole = { text: 'x'.repeat(50_000) };
    const { sha256, bytes } = await (await Blobs.inFolder(fixture.blobFolder)).evidence.put(
      JSON.stringify(whole),
    );
    const reference = { $ref: `sha256:${sha256}`, bytes, type: 'application/json' };
    await emitEvents(fixture.bus, delivery, [eventWith(delivery, reference)]);
    const { attempt_id } = delivery;
    const read = async () => (await fixture.bus.call(attempts.events, { workspace_id, attempt_id })).items[0];
    await waitFor(read);
    expect((await read())?.payload).toEqual(whole);
    const inRun = (await fixture.history(run_id)).find((event) => event.event_type === 'sandbox.file.read');
    expect(inRun?.payload).toEqual(whole);

    await finish(fixture.bus, { attempt_id, delivery: 1, executor_id: 'e' }, resultOf({ last_sequence: 1 }));
    const requested = { workspace_id, attempt_ids: [attempt_id, run_id] };
    const { items, absent } = await fixture.bus.call(evidence.get, requested);
    expect(absent).toEqual([{ attempt_id: run_id, code: 'not_found' }]);
    const [stored] = items;
    expect(stored?.events.map(({ payload }) => payload)).toEqual([reference]);
    expect(stored?.stored_case).toMatchObject({ kind: 'case_document', challenge_key: 'repeat' });
  });

  test('the history of 20,000 events in one attempt reaches scoring in pages, beside those of other attempts', async () => {
    const { held } = await claimAll();
    const [long, short] = held;
    if (!long || !short) throw new Error('nothing held');
    for (let first = 1; first <= 20_000; first += 1_000) {
      const events = eventsOf(long, { first, types: Array(1_000).fill('policy.violation') });
      await emitEvents(fixture.bus, long, events);
    }
    await emit(fixture.bus, short, { types: ['system.run.started'] });
    for (const [{ attempt_id }, last_sequence] of [[long, 20_000] as const, [short, 1] as const]) {
      await finish(fixture.bus, { attempt_id, delivery: 1, executor_id: 'e' }, resultOf({ last_sequence }));
    }
    const numbers = new Map<string, number[]>();
    await waitFor(async () => {
      numbers.clear();
      let left = [long.attempt_id, short.attempt_id];
      while (left.length > 0) {
        const reply = await fixture.bus.call(evidence.get, { workspace_id, attempt_ids: left });
        for (const stored of reply.items) numbers.set(stored.attempt_id, await numbersOf(stored));
        left = reply.rest;
      }
      return numbers.get(long.attempt_id)?.length === 20_000;
    });
    expect(numbers.get(long.attempt_id)).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
    expect(numbers.get(short.attempt_id)).toEqual([1]);
    const { attempt_id, delivery } = long;
    const last = await fixture.bus.call(evidence.events, {
      workspace_id,
      attempt_id,
      delivery,
      after: 19_998,
    });
    expect(last).toMatchObject({ items: [{ sequence_number: 19_999 }, { sequence_number: 20_000 }] });
    expect(last.has_more).toBe(false);
  }, 60_000);

  test('the history is not read by another workspace, nor page by page', async () => {
    const { held } = await claimAll();
    const { attempt_id, delivery } = held[0] ?? {};
    if (attempt_id === undefined || delivery === undefined) throw new Error('nothing held');
    const request = { workspace_id: newId(), attempt_id, delivery, after: 0 };
    await expect(fixture.bus.call(evidence.events, request)).rejects.toMatchObject({ code: 'not_found' });
  });

  /** The numbers of all its events, read as scoring reads them. */
  async function numbersOf(stored: Out<typeof evidence.get>['items'][number]): Promise<number[]> {
    const { attempt_id, delivery } = stored;
    const numbers = stored.events.map(({ sequence_number }) => sequence_number);
    for (let hasMore = stored.has_more_events ?? false; hasMore; ) {
      const request: In<typeof evidence.events> = {
        ...{ workspace_id, attempt_id, delivery },
        after: numbers.at(-1) ?? 0,
      };
      const page = await fixture.bus.call(evidence.events, request);
      numbers.push(...page.items.map(({ sequence_number }) => sequence_number));
      hasMore = page.has_more;
    }
    return numbers;
  }

  test('the history is read in pages that a reply can carry', async () => {
    const { run_id, held } = await claimAll();
    const [delivery] = held;
    if (!delivery) throw new Error('nothing held');
    const payload = { text: 'y'.repeat(30_000) };
    const events = Array.from({ length: 60 }, (_, n) => ({
      ...eventWith(delivery, payload),
      sequence_number: n + 1,
    }));
    for (const part of [events.slice(0, 30), events.slice(30)]) {
      await emitEvents(fixture.bus, delivery, part);
    }
    const page = (after: number) =>
      fixture.bus.call(runs.events, { workspace_id, run_id, after, limit: 1_000 });
    await waitFor(async () => (await fixture.history(run_id)).length >= 60);
    const { items, is_end } = await page(0);
    expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(800_000);
    expect(items.length).toBeLessThan(60);
    expect(is_end).toBe(false);
    expect((await page(items.at(-1)?.position ?? 0)).items[0]?.position).toBe(items.length + 1);
  });
});

function eventWith(
  { run_id, attempt_id, delivery }: ReturnType<typeof identityOf>,
  payload: HistoryEvent['payload'],
): HistoryEvent {
  return {
    event_id: newId(),
    schema_version: '1',
    run_id,
    attempt_id,
    delivery,
    sequence_number: 1,
    event_type: 'sandbox.file.read',
    source: 'sandbox',
    occurred_at: new Date().toISOString(),
    payload,
    summary: {},
  };
}

const ENDED = { types: ['system.run.started', 'system.output.finalized', 'system.run.completed'] };
const PAID = { usage: { input: 70, output: 30, total: 100 }, cost_usd: 0.25 };

type Lanes = Out<typeof runs.agents>;

describe('the lanes of a run', () => {
  const pack = fakes.add(publish(wordPack(6)));

  test('the lanes count exactly the events up to their position, at whatever moment they are read', async () => {
    fakes.execute = async ({ attempt_id }, bus) => {
      const lease = { attempt_id, delivery: 1, executor_id: 'e' };
      const claimed = await claim(bus, attempt_id, 'e');
      if (!claimed.claimed) return;
      await renew(bus, lease, 'running');
      const delivery = identityOf(claimed);
      const [{ run_agent_id }] = [
        (await fixture.attempts(delivery.run_id)).find(({ id }) => id === attempt_id) ?? {},
      ];
      const received = eventsOf(delivery, ENDED).map((event): HistoryEvent => {
        const payload = event.event_type === 'system.run.completed' ? PAID : event.payload;
        return { ...event, ...(run_agent_id && { run_agent_id }), payload };
      });
      await emitEvents(bus, delivery, received);
      await finish(bus, lease, resultOf());
    };
    const agents = [await fixture.scripted('one'), await fixture.scripted('two')];
    const { id: run_id } = await fixture.createRun(pack.version.id, agents);
    const readings: Lanes[] = [];
    do readings.push(await fixture.bus.call(runs.agents, { workspace_id, run_id }));
    while ((await fixture.run(run_id)).status !== 'completed');
    const history = await fixture.history(run_id);
    for (const { items, position } of readings) {
      const known = history.filter((event) => event.position <= (position ?? 0));
      expect(items.map(figuresOf)).toEqual(items.map(({ id }) => counted(known, id)));
    }
    const last = await fixture.bus.call(runs.agents, { workspace_id, run_id });
    expect(last.position).toBe(history.length);
    expect(last.items.map(({ tally }) => tally)).toEqual([
      { judged: 6, graded: 6, tokens: 600, cost_usd: 1.5 },
      { judged: 6, graded: 6, tokens: 600, cost_usd: 1.5 },
    ]);
  });
});

function figuresOf({ progress, tally }: Lanes['items'][number]) {
  return { finished: progress.finished, scored: progress.scored, tokens: tally?.tokens };
}

function counted(history: readonly RecordedEvent[], agentId: string) {
  const ofAgent = history.filter(({ run_agent_id }) => run_agent_id === agentId);
  const count = (type: string, isMeant: (event: RecordedEvent) => boolean = () => true) =>
    ofAgent.filter((event) => event.event_type === type && isMeant(event)).length;
  return {
    finished: count('attempt.state_changed', ({ payload }) => payload.to === 'finished'),
    scored: count('run.attempt_scored'),
    tokens: 100 * count('system.run.completed'),
  };
}
