import { type HistoryEvent, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { Blobs, newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { emitEvents, eventsOf } from '../../testing/emitted-events.js';
import { claim, identityOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

/** Payloads of the events of each attempt, in order. */
const TEXTS = ['Bitte ENTSCHULDIGE die Störung', 'he is "100 %_\\ sure"', 'nothing', 'x'.repeat(3_000)];

describe('the search in the transcripts of a run', () => {
  const pack = fakes.add(publish(wordPack(3)));
  let run_id: string;

  beforeAll(async () => {
    const run = await fixture.createRun(pack.version.id, [
      await fixture.scripted('a'),
      await fixture.scripted('b'),
    ]);
    run_id = run.id;
    const blobs = await Blobs.inFolder(fixture.blobFolder);
    for (const { id } of await fixture.attempts(run_id)) {
      const reply = await claim(fixture.bus, id, 'e');
      if (!reply.claimed) throw new Error(reply.reason);
      const delivery = identityOf(reply);
      const large = JSON.stringify({ output: `${'y'.repeat(40_000)} the large needle` });
      const { sha256, bytes } = await blobs.evidence.put(large);
      const reference = { $ref: `sha256:${sha256}`, bytes, type: 'tool.call.completed' };
      const payloads: HistoryEvent['payload'][] = [
        ...TEXTS.map((text) => ({ messages: [{ text }] })),
        reference,
      ];
      const types = [...TEXTS.map(() => 'model.call.messages'), 'tool.call.completed'];
      const events = eventsOf(delivery, { types });
      await emitEvents(
        fixture.bus,
        delivery,
        events.map((event, index) => ({ ...event, payload: payloads[index] ?? {} })),
      );
    }
    await waitFor(
      async () => (await fixture.history(run_id)).filter((event) => event.delivery).length === 30,
    );
  });

  const search = (
    q: string,
    more: { limit?: number; cursor?: string; run_agent_id?: string; case_key?: string } = {},
  ) => fixture.bus.call(runs.search, { workspace_id, run_id, q, ...more });

  test('every event whose payload has the text is found, in any case of letters and with its place', async () => {
    const { items, next_cursor, searched, events } = await search('entschuldige');
    expect(items).toHaveLength(6);
    expect(items[0]).toMatchObject({
      ...{ agent_name: expect.stringMatching(/^[ab]$/), repetition: 1, delivery: 1, sequence_number: 1 },
      ...{ event_type: 'model.call.messages' },
      ...{ before: 'Bitte ', match: 'ENTSCHULDIGE', after: ' die Störung' },
    });
    expect([next_cursor, searched]).toEqual([null, events]);
  });

  test('quotes, backslashes and the wildcards of SQL are characters as others', async () => {
    for (const q of ['"100 %_\\ sure"', '%_', '\\ s']) expect((await search(q)).items).toHaveLength(6);
    for (const q of ['1__ %', '"%sure', 'Bitte_']) expect((await search(q)).items).toEqual([]);
  });

  test('a payload that is stored as a blob is searched, and found once', async () => {
    const { items } = await search('the large needle');
    expect(items.map(({ event_type }) => event_type)).toEqual(Array(6).fill('tool.call.completed'));
  });

  test('names of members and ids of the events do not count', async () => {
    expect((await search('messages')).items).toEqual([]);
  });

  test('an attempt that was delivered again is searched in its last delivery alone', async () => {
    const [first] = (await search('nothing')).items;
    const attempt_id = first?.attempt_id ?? '';
    await fixture.database.query(
      `INSERT INTO runs.events SELECT run_id, position + 1000, gen_random_uuid(), run_agent_id, attempt_id, 2, case_key, repetition,
         sequence_number, event_type, source, occurred_at, '{"text":"a second try"}', summary
         FROM runs.events WHERE attempt_id = '${attempt_id}' AND sequence_number = 1`,
    );
    const others = (await search('nothing')).items;
    expect(others).toHaveLength(5);
    expect(others.map((each) => each.attempt_id)).not.toContain(attempt_id);
    await fixture.database.query(`DELETE FROM runs.events WHERE position > 1000`);
    expect((await search('nothing')).items).toHaveLength(6);
  });

  test('pages of every size have each match once', async () => {
    const all = (await search('die')).items;
    for (const limit of [1, 2, 5]) {
      const found = [];
      let cursor: string | null | undefined;
      do {
        const next = await search('die', { limit, ...(cursor != null && { cursor }) });
        expect(next.items.length).toBeLessThanOrEqual(limit);
        found.push(...next.items);
        cursor = next.next_cursor;
      } while (cursor !== null);
      expect(found).toEqual(all);
    }
  });

  test('a search is limited to an agent or a case, and to the workspace', async () => {
    const [first] = (await search('nothing')).items;
    const { run_agent_id = '', case_key = '' } = first ?? {};
    expect((await search('nothing', { run_agent_id })).items).toHaveLength(3);
    expect((await search('nothing', { case_key })).items).toHaveLength(2);
    const foreign = fixture.bus.call(runs.search, { workspace_id: newId(), run_id, q: 'nothing' });
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a workspace has two searches under way, some wait, and further ones are refused with the next step', async () => {
    let refused = 0;
    const send = () =>
      search('nothing').then(
        ({ items }) => items.length,
        (error) => {
          expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('Try again') });
          refused += 1;
          return 0;
        },
      );
    const searches = await fixture.database.transaction(async (change) => {
      await change.query('LOCK TABLE runs.events IN ACCESS EXCLUSIVE MODE');
      const sent = Array.from({ length: 12 }, send);
      await waitFor(() => refused === 4);
      return { sent };
    });
    const found = await Promise.all(searches.sent);
    expect(found.filter((count) => count === 6)).toHaveLength(8);
  });
});
