import { type RecordedEvent } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expectEtas, expectHalts, snapshotOf } from '../testing/lane-figures.js';
import { type LaneTotals, raceHistory } from '../testing/race-history.js';
import { type Lane } from './lane.js';
import { etaMs, Race } from './race.js';

function play(race: Race, events: readonly RecordedEvent[]): Race {
  for (const event of events) race.apply(event);
  return race;
}

function totalsOf({
  total,
  skipped,
  finished,
  scored,
  passed,
  judged,
  overall,
  tokens,
  costUsd,
}: LaneTotals | Lane): LaneTotals {
  return { total, skipped, finished, scored, passed, judged, overall, tokens, costUsd };
}

describe('the view-model of a race with any history', () => {
  test('every lane of an ended race counts each attempt once, by its last score, and the cost of every delivery', () => {
    fc.assert(
      fc.property(raceHistory, ({ agents, events, totals }) => {
        const { lanes } = play(new Race(agents), events);
        expect(lanes.map(totalsOf)).toEqual(totals);
        expect(lanes.flatMap(({ running, parked }) => [...running, ...parked])).toEqual([]);
      }),
    );
  });

  test('events that a reconnect repeats are applied once, and none is lost', () => {
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

  test('a follower that joins with a snapshot ends with the same figures', () => {
    fc.assert(
      fc.property(raceHistory, fc.nat(), ({ agents, events, totals }, at) => {
        const position = at % (events.length + 1);
        const known = events.slice(0, position);
        const snapshot = snapshotOf(play(new Race(agents), known), known);
        const race = new Race(snapshot, { position, startedAt: events[0]?.occurred_at ?? null });
        expect(play(race, events).lanes.map(totalsOf)).toEqual(totals);
      }),
    );
  });

  test('the ETA of a lane follows from the scored attempts of its current round, also after a retry', () => {
    expectEtas(({ agents, events, nowMs }) =>
      play(new Race(agents), events).lanes.map((lane) => etaMs(lane, nowMs)),
    );
  });

  test('a halted lane has as its total the attempts that were not skipped', () => {
    expectHalts(({ agents, events }) => play(new Race(agents), events).lanes.map(haltOf));
  });
});

function haltOf({ skipped, total, halt }: Lane) {
  return { skipped, total, reason: halt?.reason ?? null };
}
