import { createClient, type RecordedEvent } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Lane } from './lane.js';
import { Race } from './race.js';
import { RaceFeed } from './race-feed.js';
import { type LaneTotals, raceHistory } from './testing/race-history.js';
import { standingOf } from './testing/standing.js';

const RUN = '01890000-0000-7000-8000-000000000001';

function play(race: Race, events: readonly RecordedEvent[]): Race {
  for (const event of events) race.advance(event);
  return race;
}

function totalsOf({
  finished,
  scored,
  passed,
  judged,
  overall,
  tokens,
  costUsd,
}: LaneTotals | Lane): LaneTotals {
  return { finished, scored, passed, judged, overall, tokens, costUsd };
}

describe('whatever happens in a race', () => {
  test('in the end every lane counts each attempt once, as it was last scored, and every delivery that was paid', () => {
    fc.assert(
      fc.property(raceHistory, ({ agents, events, totals }) => {
        const { lanes } = play(new Race(agents), events);
        expect(lanes.map(totalsOf)).toEqual(totals);
        expect(lanes.flatMap(({ running, parked }) => [...running, ...parked])).toEqual([]);
      }),
    );
  });

  test('connections that begin anywhere in what is known add nothing and leave nothing out', () => {
    fc.assert(
      fc.property(raceHistory, fc.array(fc.tuple(fc.nat(), fc.nat())), ({ agents, events }, cuts) => {
        const race = new Race(agents);
        for (const [back, ahead] of cuts) {
          const from = race.position === 0 ? 0 : back % (race.position + 1);
          play(race, events.slice(from, from + ahead));
        }
        play(race, events.slice(race.position));
        expect(race).toEqual(play(new Race(agents), events));
      }),
    );
  });

  test('whoever joins midway, with the figures that the server has then, ends with the same', () => {
    fc.assert(
      fc.property(raceHistory, fc.nat(), ({ agents, events, totals }, at) => {
        const position = at % (events.length + 1);
        const known = events.slice(0, position);
        const standing = standingOf(play(new Race(agents), known), known);
        const race = new Race(standing, { position, startedAt: events[0]?.occurred_at ?? null });
        expect(play(race, events).lanes.map(totalsOf)).toEqual(totals);
      }),
    );
  });

  test('what is kept of it does not grow with its length', () => {
    fc.assert(
      fc.property(raceHistory, ({ agents, events }) => {
        const many = Array.from({ length: 40 }, (_, round) =>
          events.map((event) => ({
            ...event,
            attempt_id: `${round} ${event.attempt_id}`,
            position: round * events.length + event.position,
          })),
        ).flat();
        const { lanes, landings } = play(new Race(agents), many);
        expect(Math.max(0, ...lanes.map(({ tail }) => tail.length))).toBeLessThanOrEqual(40);
        expect(landings.length).toBeLessThanOrEqual(100);
        expect(JSON.stringify(lanes).length).toBeLessThan(40_000);
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

/** A server that sends what follows the last event that was heard, and breaks off where it is told to, if not before an event. */
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
