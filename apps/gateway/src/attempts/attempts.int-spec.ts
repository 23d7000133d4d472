import { routes } from '@agentclash/api';
import { attempts, ContractError, type HistoryEvent } from '@agentclash/contracts';
import { payloadReference } from '@agentclash/domain';
import { Blobs, encodeCursor, newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();

describe("an attempt's history", () => {
  let fixture: GatewayFixture;
  let attemptId = newId();
  let params = { attempt_id: attemptId };
  const histories = new Map<number, HistoryEvent[]>();
  /** The number of events read from the orchestrator. */
  let read = 0;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url }, { RATE_LIMIT: '0' });
    // Returns fewer than requested, as a service does whose events are large.
    fixture.fakes.on(
      attempts.events,
      ({ attempt_id, delivery = Math.max(...histories.keys()), event_types, after, limit }) => {
        const events = attempt_id === attemptId ? histories.get(delivery) : undefined;
        if (events === undefined) throw new ContractError('not_found', 'There is no such attempt.');
        const rest = events.filter(
          ({ sequence_number, event_type }) =>
            sequence_number > after && (event_types?.includes(event_type) ?? true),
        );
        const items = rest.slice(0, Math.min(limit, 7));
        read += items.length;
        return { items, delivery, has_more: rest.length > items.length };
      },
    );
  });
  afterAll(async () => await fixture.close());
  beforeEach(() => {
    attemptId = newId();
    params = { attempt_id: attemptId };
    read = 0;
    histories.clear();
    histories.set(1, calls(20));
  });

  const replay = (query: { limit?: number; cursor?: string; delivery?: number; text_max?: number } = {}) =>
    fixture.client().call(routes.attempts.replay, { params, query });

  function calls(count: number): HistoryEvent[] {
    return Array.from({ length: count * 2 }, (_unused, index) => ({
      event_id: newId(),
      schema_version: '1',
      run_id: attemptId,
      attempt_id: attemptId,
      sequence_number: index + 1,
      event_type: index % 2 === 0 ? 'tool.call.started' : 'tool.call.completed',
      source: 'scripted_agent',
      occurred_at: new Date(index).toISOString(),
      payload: { tool_call_id: `t${Math.floor(index / 2)}` },
      summary: {},
    }));
  }

  /** One step around all events. */
  function within(type: string, events: readonly HistoryEvent[]): HistoryEvent[] {
    const [around] = calls(1);
    if (around === undefined) return [];
    const payload = { tool_call_id: 'around' };
    const [start, end] = ['started', 'completed'].map((ending) => ({
      ...around,
      payload,
      event_id: newId(),
      event_type: `${type}.${ending}`,
    }));
    return [start, ...events, end].flatMap((event, index) =>
      event === undefined ? [] : { ...event, sequence_number: index + 1 },
    );
  }

  test('the events of an attempt are read page by page, without a gap', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 9, cursor };
      const page = await fixture.client().call(routes.attempts.events, { params, query });
      seen.push(...page.items.map(({ sequence_number }) => sequence_number));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 40 }, (_unused, index) => index + 1));
  });

  test('the events of one type are read without the others, page by page', async () => {
    const event_type = 'tool.call.completed';
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 9, event_type, cursor };
      const page = await fixture.client().call(routes.attempts.events, { params, query });
      expect(page.items.every((event) => event.event_type === event_type)).toBe(true);
      seen.push(...page.items.map(({ sequence_number }) => sequence_number));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 20 }, (_unused, index) => 2 * (index + 1)));
    expect(read).toBe(20);
  });

  test('a replay folds all events into steps, however the pages are cut', async () => {
    const first = await replay({ limit: 15 });
    expect(first).toMatchObject({ attempt_id: attemptId, delivery: 1 });
    const cursor = first.next_cursor ?? '';
    const rest = await replay({ cursor });
    const steps = [...first.items, ...rest.items];
    expect(steps.map(({ number, status }) => [number, status])).toEqual(
      Array.from({ length: 20 }, (_unused, index) => [index + 1, 'completed']),
    );
    expect(rest.next_cursor).toBeNull();
  });

  describe('that is larger than the cache', () => {
    const text = 'x'.repeat(100_000);
    const COUNT = 400;
    const PAGE = 20;
    beforeEach(() => {
      const events = calls(COUNT).map((event) =>
        event.event_type.endsWith('completed')
          ? { ...event, payload: { ...event.payload, content: text } }
          : event,
      );
      histories.set(1, events);
    });

    const areWhole = (items: Awaited<ReturnType<typeof replay>>['items']) =>
      items.every(({ result }) => result?.content === text);

    test('its pages in order are served by one read of the events, and every step is whole', async () => {
      let cursor: string | null = null;
      let count = 0;
      do {
        const page = await replay({ limit: PAGE, ...(cursor !== null && { cursor }) });
        expect(areWhole(page.items)).toBe(true);
        count += page.items.length;
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect([count, read]).toEqual([COUNT, 2 * COUNT]);
    });

    test('an earlier page is whole again, also while later ones are read', async () => {
      const numberOf = (cursor: string) => Number(Buffer.from(cursor, 'base64url').toString().split('/')[1]);
      let cursor = (await replay({ limit: PAGE })).next_cursor ?? '';
      while (numberOf(cursor) < 200) cursor = (await replay({ limit: PAGE, cursor })).next_cursor ?? '';
      const starts = [0, 220, 40, 260];
      const pages = await Promise.all(
        starts.map((start) => replay({ limit: PAGE, cursor: encodeCursor(`1/${start}`) })),
      );
      expect(pages.map(({ items }) => items[0]?.number)).toEqual(starts.map((start) => start + 1));
      expect(pages.every(({ items }) => areWhole(items))).toBe(true);
    });
  });

  test('all pages of a replay are served by one read of the events', async () => {
    let cursor: string | null = null;
    do {
      ({ next_cursor: cursor } = await replay({ limit: 4, ...(cursor !== null && { cursor }) }));
    } while (cursor !== null);
    expect(read).toBe(40);
  });

  test('the first page of a replay reads no more events than it needs, and has the end of the whole run', async () => {
    histories.set(1, within('system.run', calls(200)));
    const page = await replay({ limit: 10 });
    expect(page.items.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'system.run completed',
      ...Array.from({ length: 9 }, () => 'tool.call completed'),
    ]);
    expect(page.items[0]).toMatchObject({ sequence_numbers: [1, 402] });
    expect(page.next_cursor).not.toBeNull();
    expect(read).toBeLessThan(50);
  });

  test('a page of a replay is bounded by bytes, and the cursor leads to the rest', async () => {
    const [start, end] = calls(1);
    if (start === undefined || end === undefined) throw new Error('a call has two events');
    const text = 'x'.repeat(100_000);
    const steps = Array.from({ length: 60 }, (_, index) => index + 1);
    histories.set(
      1,
      steps.flatMap((number) => [
        { ...start, sequence_number: 2 * number - 1, payload: { tool_call_id: `t${number}` } },
        { ...end, sequence_number: 2 * number, payload: { tool_call_id: `t${number}`, text } },
      ]),
    );
    const first = await replay({ limit: 200 });
    expect(first.items.map(({ number }) => number)).toEqual(steps.slice(0, 41));
    const rest = await replay({ limit: 200, cursor: first.next_cursor ?? '' });
    expect(rest.items.map(({ number }) => number)).toEqual(steps.slice(41));
    expect(rest.next_cursor).toBeNull();
    const cut = await replay({ limit: 200, text_max: 100 });
    expect(cut.items.map(({ cuts }) => cuts)).toEqual(
      steps.map((number) => [{ at: ['result', 'text'], event: 2 * number, length: text.length }]),
    );
  });

  const payload = async (sequence_number: string, query = {}) => {
    const path = { ...params, sequence_number };
    return await (await fixture.client().call(routes.attempts.payload, { params: path, query })).text();
  };

  test('the payload of an event is read whole, also where no reply could carry it', async () => {
    expect(JSON.parse(await payload('4', { delivery: 1 }))).toEqual({ tool_call_id: 't1' });
    const blobs = await Blobs.inFolder(fixture.folder);
    const large = JSON.stringify({ text: 'y'.repeat(5_000_000) });
    const { sha256, bytes } = await blobs.evidence.put(large);
    const [event] = calls(1);
    if (event === undefined) throw new Error('a call has two events');
    histories.set(1, [{ ...event, payload: { ...payloadReference(sha256, bytes, event.event_type) } }]);
    expect(await payload('1')).toBe(large);
  });

  test('the payload of an event that does not exist gets the status 404, and a number that is none 422', async () => {
    await expect(payload('41')).rejects.toMatchObject({ status: 404 });
    await expect(payload('0')).rejects.toMatchObject({ status: 422, errors: [{ field: 'sequence_number' }] });
    histories.clear();
    await expect(payload('1')).rejects.toMatchObject({ status: 404 });
  });

  test('a replay reads on until the steps of the page have ended', async () => {
    histories.set(1, within('tool.call', calls(30)));
    const { items } = await replay({ limit: 1 });
    expect(items).toMatchObject([{ status: 'completed', sequence_numbers: [1, 62] }]);
  });

  test('a replay has no cursor after its last step, though more events end that step', async () => {
    histories.set(1, within('system.run', calls(30)));
    expect(await replay({ limit: 31 })).toMatchObject({ items: { length: 31 }, next_cursor: null });
    expect(await replay({ limit: 30 })).toMatchObject({ next_cursor: expect.any(String) });
  });

  test('a later replay reads only the new events', async () => {
    const [whole, begun] = [calls(20), calls(20).slice(0, 39)];
    histories.set(1, begun);
    expect((await replay()).items.at(-1)).toMatchObject({ status: 'open', sequence_numbers: [39] });
    histories.set(1, whole);
    expect((await replay()).items.at(-1)).toMatchObject({ status: 'completed', sequence_numbers: [39, 40] });
    expect(read).toBe(40);
  });

  test('a replay includes an event that arrived later than its successors', async () => {
    const whole = calls(20);
    histories.set(1, whole.toSpliced(1, 1));
    expect((await replay()).items[0]).toMatchObject({ status: 'open' });
    histories.set(1, whole);
    expect((await replay()).items[0]).toMatchObject({ status: 'completed', sequence_numbers: [1, 2] });
  });

  test.each([1, 30])('a replay starts over when another delivery has %i calls', async (count) => {
    await replay();
    histories.set(2, calls(count));
    const latest = await replay();
    expect(latest.delivery).toBe(2);
    expect(latest.items.map(({ number }) => number)).toEqual(
      calls(count)
        .slice(count)
        .map((_, at) => at + 1),
    );
    expect(await replay({ delivery: 1 })).toMatchObject({ delivery: 1, items: { length: 20 } });
  });

  test('a cached replay is not returned to a workspace without the attempt', async () => {
    await replay();
    histories.clear();
    await expect(replay()).rejects.toMatchObject({ status: 404 });
  });

  test('pages of a history stay with their delivery while another one starts', async () => {
    const first = await fixture.client().call(routes.attempts.events, { params, query: { limit: 3 } });
    histories.set(2, calls(1));
    const query = { limit: 3, cursor: first.next_cursor ?? '' };
    const second = await fixture.client().call(routes.attempts.events, { params, query });
    expect(second).toMatchObject({ delivery: 1, items: [{ sequence_number: 4 }, {}, {}] });
    const latest = await fixture.client().call(routes.attempts.events, { params });
    expect(latest).toMatchObject({ delivery: 2, next_cursor: null });
  });

  test.each(['x', 'AAAA', encodeCursor('1'), encodeCursor('1/-1'), encodeCursor('2/0/1')])(
    'the cursor "%s", which no replay has issued, is refused',
    async (cursor) => {
      for (const route of [routes.attempts.events, routes.attempts.replay]) {
        const page = fixture.client().call(route, { params, query: { cursor } });
        await expect(page).rejects.toMatchObject({ code: 'invalid_input', errors: [{ field: 'cursor' }] });
      }
    },
  );

  test('the history of an unknown attempt gets the status 404', async () => {
    const replay = fixture.client().call(routes.attempts.replay, { params: { attempt_id: newId() } });
    await expect(replay).rejects.toMatchObject({ status: 404 });
  });
});
