import type { RecordedEvent } from '@agentclash/contracts';
import { recordIn } from '@agentclash/domain';
import fc from 'fast-check';
import type { Lane, LaneAgent } from '../race/lane.js';
import type { Race } from '../race/race.js';
import { raceHistory } from './race-history.js';

/** The agents with the server's figures after these events, which are all that the race has applied. */
export function snapshotOf({ lanes }: Race, events: readonly RecordedEvent[]): LaneAgent[] {
  return lanes.map((lane) => {
    const { id, name, kind, total, finished, scored, passed, judged, overall } = lane;
    const queued = total - finished - lane.running.length - lane.parked.length;
    const progress = {
      total,
      finished,
      scored,
      passed,
      queued,
      running: lane.running.length,
      by_outcome: {},
    };
    // A delivery counts once it has ended.
    const ends = events.filter(
      ({ run_agent_id, event_type }) => run_agent_id === id && event_type === 'system.run.completed',
    );
    const tokens = ends.reduce((sum, { payload }) => sum + Number(recordIn(payload, 'usage')?.total), 0);
    const cost_usd = ends.reduce((sum, { payload }) => sum + Number(payload.cost_usd), 0);
    const tally = { judged, graded: gradedOf(events, lane), tokens, cost_usd };
    return { id, name, kind, progress, overall_so_far: overall, tally };
  });
}

/** Attempts of a lane whose current score has an overall. */
function gradedOf(events: readonly RecordedEvent[], { id }: Lane): number {
  const graded = new Set<string>();
  for (const { run_agent_id, attempt_id = '', event_type, payload } of events) {
    if (run_agent_id !== id) continue;
    if (event_type === 'attempt.state_changed' && payload.from === 'finished') graded.delete(attempt_id);
    if (event_type !== 'run.attempt_scored') continue;
    if (typeof payload.overall === 'number') graded.add(attempt_id);
    else graded.delete(attempt_id);
  }
  return graded.size;
}

/**
 * The remaining milliseconds of a lane after these events, by definition: the scored attempts of the current round
 * set the pace, and a retry of a complete lane begins a round with the first attempt that starts.
 */
function expectedEtaMs(
  events: readonly RecordedEvent[],
  { id, progress: { total } }: LaneAgent,
  nowMs: number,
): number | null {
  const scored = new Set<string>();
  let round = { before: 0, startMs: Number.NaN };
  for (const event of events.filter((each) => each.run_agent_id === id && each.source !== 'worker_scoring')) {
    const { attempt_id: attempt = '', event_type: type, payload, occurred_at } = event;
    if (type === 'attempt.state_changed' && payload.from === 'finished') {
      if (scored.size === total) round = { before: total, startMs: Number.NaN };
      scored.delete(attempt);
      round.before = Math.min(round.before, scored.size);
    } else if (type === 'attempt.state_changed' && payload.to !== 'queued') {
      if (Number.isNaN(round.startMs)) round.startMs = Date.parse(occurred_at);
    }
    if (type === 'run.attempt_scored') scored.add(attempt);
  }
  const done = scored.size - round.before;
  if (done <= 0 || scored.size === total) return null;
  return ((nowMs - round.startMs) / done) * (total - scored.size);
}

/** A race at some moment. */
interface Moment {
  agents: readonly LaneAgent[];
  events: readonly RecordedEvent[];
  nowMs: number;
}

/**
 * The test that every interface runs: at any moment of any race, also after a retry, the ETA of each of its lanes is the
 * defined one, so that all interfaces show the same.
 */
export function expectEtas(etasOf: (moment: Moment) => readonly (number | null)[]): void {
  fc.assert(
    fc.property(raceHistory, fc.nat(), fc.nat(60_000), ({ agents, events: all }, at, laterMs) => {
      const events = all.slice(0, at % (all.length + 1));
      const nowMs = Date.parse(events.at(-1)?.occurred_at ?? '2026-01-01T00:00:00Z') + laterMs;
      const expected = agents.map((agent) => expectedEtaMs(events, agent, nowMs));
      const actual = etasOf({ agents, events, nowMs });
      if (JSON.stringify(actual) !== JSON.stringify(expected)) {
        throw new Error(`ETAs are ${JSON.stringify(actual)}, defined as ${JSON.stringify(expected)}`);
      }
    }),
  );
}
