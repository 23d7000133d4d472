import type { RecordedEvent } from '@agentclash/contracts';
import { recordIn } from '@agentclash/domain';
import fc from 'fast-check';
import type { Lane, LaneAgent } from '../race/lane.js';
import type { Race } from '../race/race.js';
import { raceHistory } from './race-history.js';

/** The agents with the server's figures after these events, which are all that the race has applied. */
export function snapshotOf({ lanes }: Race, events: readonly RecordedEvent[]): LaneAgent[] {
  return lanes.map((lane) => {
    const { id, name, kind, planned, skipped, finished, scored, passed, judged, overall } = lane;
    const queued = lane.total - finished - lane.running.length - lane.parked.length;
    const progress = {
      total: planned,
      ...(skipped > 0 && { skipped }),
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
 * set the pace, skipped attempts do not remain, and a retry of a complete lane begins a round with the first attempt that
 * starts.
 */
function expectedEtaMs(
  events: readonly RecordedEvent[],
  { id, progress }: LaneAgent,
  nowMs: number,
): number | null {
  let { total } = progress;
  const scored = new Set<string>();
  let round = { before: 0, startMs: Number.NaN };
  for (const event of events.filter((each) => isOf(each, id) && each.source !== 'worker_scoring')) {
    const { attempt_id: attempt = '', event_type: type, payload, occurred_at } = event;
    if (type === 'attempt.state_changed' && payload.from === 'finished') {
      if (scored.size === total) round = { before: total, startMs: Number.NaN };
      scored.delete(attempt);
      round.before = Math.min(round.before, scored.size);
    } else if (type === 'attempt.state_changed' && payload.to !== 'queued') {
      if (Number.isNaN(round.startMs)) round.startMs = Date.parse(occurred_at);
    }
    if (type === 'run.attempt_scored') scored.add(attempt);
    if (type === 'run.lane_halted') total -= Number(payload.skipped);
  }
  const done = scored.size - round.before;
  if (done <= 0 || scored.size === total) return null;
  return ((nowMs - round.startMs) / done) * (total - scored.size);
}

function isOf({ run_agent_id, payload }: RecordedEvent, lane: string): boolean {
  return (run_agent_id ?? payload.run_agent_id) === lane;
}

/** A race at some moment. */
interface Moment {
  agents: readonly LaneAgent[];
  events: readonly RecordedEvent[];
  nowMs: number;
}

/** The figures of a lane that its halts determine. */
export interface HaltFigures {
  skipped: number;
  total: number;
  /** Why it was halted first. */
  reason: string | null;
}

function expectedHalts(events: readonly RecordedEvent[], { id, progress }: LaneAgent): HaltFigures {
  const halts = events.filter((event) => event.event_type === 'run.lane_halted' && isOf(event, id));
  const skipped = halts.reduce((sum, { payload }) => sum + Number(payload.skipped), 0);
  return {
    skipped,
    total: progress.total - skipped,
    reason: (halts[0]?.payload.reason ?? null) as string | null,
  };
}

/**
 * The test that every interface runs: at any moment of any race, also after a retry and in lanes that are halted, the ETA
 * of each of its lanes is the defined one, so that all interfaces show the same.
 */
export function expectEtas(etasOf: (moment: Moment) => readonly (number | null)[]): void {
  expectAtAnyMoment(etasOf, ({ agents, events, nowMs }) =>
    agents.map((agent) => expectedEtaMs(events, agent, nowMs)),
  );
}

/**
 * The test that every interface runs: at any moment of any race each lane counts as skipped what its halts skipped, and
 * its total is the rest.
 */
export function expectHalts(haltsOf: (moment: Moment) => readonly HaltFigures[]): void {
  expectAtAnyMoment(haltsOf, ({ agents, events }) => agents.map((agent) => expectedHalts(events, agent)));
}

function expectAtAnyMoment<T>(shown: (moment: Moment) => T, defined: (moment: Moment) => T): void {
  fc.assert(
    fc.property(raceHistory, fc.nat(), fc.nat(60_000), ({ agents, events: all }, at, laterMs) => {
      const events = all.slice(0, at % (all.length + 1));
      const nowMs = Date.parse(events.at(-1)?.occurred_at ?? '2026-01-01T00:00:00Z') + laterMs;
      const moment = { agents, events, nowMs };
      const [actual, expected] = [JSON.stringify(shown(moment)), JSON.stringify(defined(moment))];
      if (actual !== expected) throw new Error(`The lanes show ${actual}, defined is ${expected}`);
    }),
  );
}
