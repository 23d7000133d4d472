import type { RecordedEvent } from '@agentclash/contracts';
import { recordIn } from '@agentclash/domain';
import type { Lane, LaneAgent } from '../race/lane.js';
import type { Race } from '../race/race.js';

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
