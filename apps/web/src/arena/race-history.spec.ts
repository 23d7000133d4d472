import { createClient, etaMs, type RecordedEvent } from '@agentclash/api';
import { expectEtas, expectHalts } from '@agentclash/api/testing/lane-figures';
import { raceHistory } from '@agentclash/api/testing/race-history';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ArenaRace, RaceFeed } from './race-feed.js';

const RUN = '01890000-0000-7000-8000-000000000001';

describe('whatever happens in a race', () => {
  test('the page of a race shows the ETA of the terminal, also after a retry', () => {
    expectEtas(({ agents, events, nowMs }) => {
      const feed = new RaceFeed(agents);
      for (const event of events) feed.take(event);
      feed.close();
      return feed.current().lanes.map((lane) => etaMs(lane, nowMs));
    });
  });

  test('the page of a race counts the skipped attempts of a halted lane as the terminal does', () => {
    expectHalts(({ agents, events }) => {
      const feed = new RaceFeed(agents);
      for (const event of events) feed.take(event);
      feed.close();
      return feed
        .current()
        .lanes.map(({ skipped, total, halt }) => ({ skipped, total, reason: halt?.reason ?? null }));
    });
  });

  test('a retry withdraws the result from the list of newest results', () => {
    fc.assert(
      fc.property(raceHistory, fc.nat(), ({ agents, events }, at) => {
        const known = events.slice(0, at % (events.length + 1));
        const race = new ArenaRace(agents);
        for (const event of known) race.advance(event);
        const listed = new Set(race.results.map(({ attemptId }) => attemptId));
        const scored = new Set<string | undefined>();
        for (const { event_type: type, payload, attempt_id } of known) {
          if (payload.from === 'finished') scored.delete(attempt_id);
          if (type === 'run.attempt_scored') scored.add(attempt_id);
        }
        expect(listed).toEqual(scored);
      }),
    );
  });

  test('the stored state of a race does not grow with its length', () => {
    fc.assert(
      fc.property(raceHistory, ({ agents, events }) => {
        const many = Array.from({ length: 40 }, (_, round) =>
          events.map((event) => ({
            ...event,
            attempt_id: `${round} ${event.attempt_id}`,
            position: round * events.length + event.position,
          })),
        ).flat();
        const race = new ArenaRace(agents);
        for (const event of many) race.advance(event);
        const outputs = race.lanes.map((lane) => race.outputOf(lane));
        expect(Math.max(0, ...outputs.map(({ tail }) => tail.length))).toBeLessThanOrEqual(40);
        expect(race.results.length).toBeLessThanOrEqual(100);
        expect(JSON.stringify([race.lanes, outputs]).length).toBeLessThan(40_000);
      }),
      { numRuns: 20 },
    );
  });
});

test('a stream that breaks off at any byte, again and again, shows the same race as one that never breaks', async () => {
  await fc.assert(
    fc.asyncProperty(raceHistory, fc.array(fc.nat(), { maxLength: 12 }), async ({ agents, events }, cuts) => {
      const feed = new RaceFeed(agents);
      const client = createClient({
        baseUrl: 'http://server',
        token: 'token',
        fetch: serverOf(events, cuts),
      });
      for await (const event of client.events(RUN)) feed.take(event);
      feed.close();
      const once = new RaceFeed(agents);
      for (const event of events) once.take(event);
      once.close();
      expect(feed.current()).toEqual(once.current());
    }),
    { numRuns: 50 },
  );
});

/** A server that sends the events after the last received one, and closes the connection at the given positions. */
function serverOf(events: readonly RecordedEvent[], cuts: readonly number[]): typeof fetch {
  const left = [...cuts];
  return async (_input, init) => {
    const after = Number(new Headers(init?.headers).get('last-event-id'));
    const following = events
      .slice(after)
      .map((event) => `id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`);
    if (following.length === 0) return new Response(null, { status: 204 });
    const text = following.join('');
    const first = following[0]?.length ?? 0;
    const cut = left.shift();
    const sent = cut === undefined ? text : text.slice(0, first + (cut % (text.length - first + 1)));
    return new Response(sent, { headers: { 'content-type': 'text/event-stream' } });
  };
}
