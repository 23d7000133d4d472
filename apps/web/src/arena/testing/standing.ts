import type { RecordedEvent } from '@agentclash/api';
import { recordIn } from '@agentclash/domain';
import type { Lane, LaneAgent } from '../lane.js';
import type { Race } from '../race.js';

/** The lanes' agents as the server would tell them when it has counted these events, all that a race has heard. */
export function standingOf({ lanes }: Race, events: readonly RecordedEvent[]): LaneAgent[] {
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
    // Of deliveries that are not over nothing is counted yet.
    const ends = events.filter(
      ({ run_agent_id, event_type }) => run_agent_id === id && event_type === 'system.run.completed',
    );
    const tokens = ends.reduce((sum, { payload }) => sum + Number(recordIn(payload, 'usage')?.total), 0);
    const cost_usd = ends.reduce((sum, { payload }) => sum + Number(payload.cost_usd), 0);
    const tally = { judged, graded: gradedOf(events, lane), tokens, cost_usd };
    return { id, name, kind, progress, overall_so_far: overall, tally };
  });
}

/** Attempts of a lane whose score, as it stands, has an overall. */
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
