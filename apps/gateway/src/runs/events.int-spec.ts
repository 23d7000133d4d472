import { connect } from 'node:net';
import { routes } from '@agentclash/api';
import {
  ContractError,
  executionEvents,
  executionLive,
  type LiveEvent,
  type RecordedEvent,
  runs,
} from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN, GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();

describe("a run's event stream", () => {
  let fixture: GatewayFixture;
  let runId: string;
  let stored: RecordedEvent[];
  let isOver: boolean;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url }, { STREAMS_MAX: '3' });
    fixture.fakes.on(runs.events, ({ run_id, after, limit }) => {
      if (run_id !== runId) throw new ContractError('not_found', 'There is no such run.');
      const items = stored.filter(({ position }) => position > after).slice(0, Math.min(limit, 4));
      return { items, is_end: isOver && (items.at(-1)?.position ?? after) >= stored.length };
    });
  });
  afterAll(async () => await fixture.close());
  beforeEach(() => {
    runId = newId();
    stored = [];
    isOver = false;
  });

  function append(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const position = stored.length + 1;
      stored.push({
        event_id: newId(),
        schema_version: '1',
        run_id: runId,
        sequence_number: position,
        event_type: 'attempt.state_changed',
        source: 'orchestrator',
        occurred_at: new Date().toISOString(),
        payload: { text: `line\nü ${position}` },
        summary: {},
        position,
      });
    }
  }

  /** Stores events and publishes a notification, as the orchestrator does. */
  async function record(count: number): Promise<void> {
    append(count);
    const position = stored.length;
    const workspace_id = newId();
    await fixture.fakes.bus.publish(
      executionEvents.recorded,
      { workspace_id, run_id: runId, position },
      newId(),
    );
  }

  const follow = (after?: number) => fixture.client().events(runId, { after, reconnectTimeoutMs: 2_000 });
  const positions = (events: RecordedEvent[]) => events.map(({ position }) => position);
  const raw = (headers: Record<string, string> = {}) =>
    fixture.request(`/v1/workspaces/default/runs/${runId}/events`, { headers });

  async function all(events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> {
    const seen: RecordedEvent[] = [];
    for await (const event of events) seen.push(event);
    return seen;
  }

  test('the stream of an ended run has its whole history, then ends', async () => {
    append(10);
    isOver = true;
    expect(await all(follow())).toEqual(stored);
  });

  test('the stream carries id, type and data of every event', async () => {
    append(1);
    isOver = true;
    const text = await (await raw()).text();
    expect(text).toBe(
      `retry: 1000\n\nid: 1\nevent: attempt.state_changed\ndata: ${JSON.stringify(stored[0])}\n\n`,
    );
  });

  test('the stream continues live after the history, in order, without a gap and without duplicates', async () => {
    append(3);
    const stream = follow();
    const seen: number[] = [];
    for await (const { position } of stream) {
      seen.push(position);
      if (position === 3 || position === 4) await record(position === 3 ? 1 : 6);
      if (position === 10) {
        isOver = true;
        await record(1);
      }
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('a stream of a run without events receives those that are recorded later', async () => {
    const stream = follow();
    const first = stream.next();
    const request = fixture.fakes.count(runs.events);
    await waitFor(() => fixture.fakes.count(runs.events) > request);
    await record(1);
    expect((await first).value).toMatchObject({ position: 1 });
    await stream.return();
  });

  test('the stream resumes after Last-Event-ID, or after a given position', async () => {
    append(6);
    isOver = true;
    expect(positions(await all(follow(4)))).toEqual([5, 6]);
    const text = await (await raw({ 'last-event-id': '5' })).text();
    expect(text.match(/^id: \d+$/gm)).toEqual(['id: 6']);
    const query = await fixture.request(`/v1/workspaces/default/runs/${runId}/events?after=5`);
    expect((await query.text()).match(/^id: \d+$/gm)).toEqual(['id: 6']);
  });

  test('an impossible position is refused, in the header and in the query', async () => {
    expect((await raw({ 'last-event-id': '999999999999999' })).status).toBe(422);
    const query = `/v1/workspaces/default/runs/${runId}/events?after=999999999999999`;
    expect((await fixture.request(query)).status).toBe(422);
  });

  test('a stream after the end of a run gets the status 204, so that no browser reconnects', async () => {
    append(2);
    isOver = true;
    expect((await raw({ 'last-event-id': '2' })).status).toBe(204);
  });

  test('events are exported line by line, without waiting for those still to come', async () => {
    append(9);
    const response = await fixture.request(`/v1/workspaces/default/runs/${runId}/events?format=ndjson`);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(stored);
  });

  test('the events of an unknown run get the status 404', async () => {
    runId = newId();
    const stranger = fixture.client().events(newId());
    await expect(stranger.next()).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('a client reconnects when the gateway restarts', async () => {
    append(3);
    const other = await fixture.startAnother();
    const port = new URL(other.url).port;
    const events = (await import('@agentclash/api'))
      .createClient({ baseUrl: other.url, token: ADMIN })
      .events(runId, { reconnectTimeoutMs: 30_000 });
    const seen: number[] = [];
    for (let count = 0; count < 3; count += 1) seen.push((await events.next()).value?.position ?? 0);
    const next = events.next();
    await other.close();
    await record(2);
    const again = await fixture.startAnother({ HTTP_PORT: port });
    seen.push((await next).value?.position ?? 0, (await events.next()).value?.position ?? 0);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    await events.return();
    await again.close();
  });

  test('a stream is released when its client disconnects', async () => {
    append(1);
    const streams = await Promise.all(
      [1, 2, 3].map(async () => {
        const stream = follow();
        await stream.next();
        return stream;
      }),
    );
    // All streams that one token may open are open now; the fourth has to wait for one to close.
    expect((await raw()).status).toBe(429);
    await Promise.all(streams.map((stream) => stream.return()));
    await waitFor(async () => {
      const response = await raw();
      await response.body?.cancel();
      return response.status === 200;
    });
  });

  test('a client that disappears in the middle of a line is noticed', async () => {
    append(1);
    const { hostname, port } = new URL(fixture.gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /v1/workspaces/default/runs/${runId}/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ADMIN}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await waitFor(async () => {
      await record(1);
      const stream = follow();
      await stream.next();
      await stream.return();
      return true;
    });
    expect(fixture.logged.filter((line) => line.includes('request failed'))).toEqual([]);
  });

  const delta = (text: string): LiveEvent => ({
    event_id: newId(),
    schema_version: '1',
    run_id: runId,
    event_type: 'model.output.delta',
    source: 'native_engine',
    occurred_at: new Date().toISOString(),
    payload: { call_id: 'c', kind: 'text', text },
    summary: {},
  });

  test('a stream with deltas carries the live deltas of models, without an id, and resumes after what is recorded', async () => {
    append(1);
    const deltas: string[] = [];
    const stream = fixture.client().events(runId, { onDelta: ({ payload }) => deltas.push(payload.text) });
    const plain = follow();
    expect([(await stream.next()).value?.position, (await plain.next()).value?.position]).toEqual([1, 1]);
    const [second, unmoved] = [stream.next(), plain.next()];
    await waitFor(() => {
      fixture.fakes.bus.publishLive(executionLive.output, delta('a'));
      return deltas.length > 0;
    });
    fixture.fakes.bus.publishLive(executionLive.output, { ...delta('of another run'), run_id: newId() });
    await record(1);
    expect([(await second).value, (await unmoved).value]).toMatchObject([{ position: 2 }, { position: 2 }]);
    expect(new Set(deltas)).toEqual(new Set(['a']));
    await Promise.all([stream.return(), plain.return()]);
    const exported = await fixture.request(
      `/v1/workspaces/default/runs/${runId}/events?format=ndjson&deltas=true`,
    );
    expect(await exported.text()).not.toContain('model.output.delta');
    const raw = await fixture.request(`/v1/workspaces/default/runs/${runId}/events?deltas=true`);
    const reader = raw.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    await waitFor(async () => {
      fixture.fakes.bus.publishLive(executionLive.output, delta('b'));
      text += (await reader?.read())?.value ?? '';
      return text.includes('model.output.delta');
    });
    expect(text).toMatch(/id: 2\n[^\n]*\n[^\n]*\n\nevent: model\.output\.delta\ndata: /);
    await reader?.cancel();
  });

  test('events are read once for all streams of a run', async () => {
    append(1);
    const streams = [follow(), follow(), follow()];
    for (const stream of streams) await stream.next();
    const before = fixture.fakes.count(runs.events);
    for (let position = 2; position <= 21; position += 1) {
      const next = streams.map((stream) => stream.next());
      await record(1);
      for (const event of await Promise.all(next)) expect(event.value).toMatchObject({ position });
    }
    // Once for each event and once to find that it is the last; each stream alone would read both.
    expect(fixture.fakes.count(runs.events) - before).toBeLessThan(20 * 3);
    await Promise.all(streams.map((stream) => stream.return()));
  });

  test('a stream survives a short outage of the orchestrator', async () => {
    append(2);
    const stream = follow();
    await stream.next();
    await stream.next();
    const third = stream.next();
    const real = stored;
    let failures = 0;
    fixture.fakes.on(runs.events, ({ after }) => {
      failures += 1;
      if (failures < 3) throw new ContractError('unavailable', 'away');
      return { items: real.filter(({ position }) => position > after), is_end: false };
    });
    await record(1);
    await waitFor(async () => {
      await record(1);
      return failures >= 3;
    });
    expect((await third).value).toMatchObject({ position: 3 });
    await stream.return();
  });

  test('streams end at once when the gateway stops, whatever clients are connected', async () => {
    append(1);
    const other = await fixture.startAnother();
    const { hostname, port } = new URL(other.url);
    const silent = connect(Number(port), hostname);
    await new Promise<void>((resolve) => silent.once('connect', () => resolve()));
    const target = `${other.url}/v1/workspaces/default/runs/${runId}/events`;
    const response = await fetch(target, { headers: { authorization: `Bearer ${ADMIN}` } });
    const gone = new Promise<void>((resolve) => silent.once('close', () => resolve()));
    silent.resume();
    await other.close();
    await gone;
    expect(await response.text()).toContain('id: 1\n');
  });

  test('a run is started through the orchestrator under the name of its token', async () => {
    const body = { challenge_pack_version_id: newId(), deployment_ids: [newId()] };
    await expect(fixture.client().call(routes.runs.create, { body })).rejects.toMatchObject({ status: 404 });
    expect(fixture.fakes.last(runs.create)).toMatchObject({
      actor: 'bootstrap',
      request: { ...body, repetitions: 1 },
    });
  });
});
