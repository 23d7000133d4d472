import type { RecordedEvent } from '@agentclash/contracts';
import type { LaneAgent } from '../race/lane.js';

/**
 * The remaining milliseconds of a lane after these events, by definition: the scored attempts of the current round
 * set the pace, and a retry of a complete lane begins a round with the first attempt that starts.
 */
export function expectedEtaMs(
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
