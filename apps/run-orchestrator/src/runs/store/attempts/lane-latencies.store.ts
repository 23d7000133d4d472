import type { Transaction } from '../../../database.js';

/** Attempts of a lane that its percentiles are of. */
const ATTEMPTS_MAX = 5_000;

/** Percentiles of the times of the attempts of a lane, in milliseconds; null without a known time. */
export interface LaneLatency {
  laneId: string;
  attempts: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

/** Of every lane of a run. */
export async function findLaneLatencies(tx: Transaction, runId: string): Promise<LaneLatency[]> {
  // Read from the text: JSON with U+0000 in it cannot be taken apart by operators, and quotes within strings are escaped.
  return await tx.$queryRaw<LaneLatency[]>`
    SELECT l.id AS "laneId", times.attempts, times.p50_ms, times.p95_ms
      FROM run_agents AS l
      CROSS JOIN LATERAL (
        SELECT count(a.ms)::int AS attempts,
               percentile_cont(0.5) WITHIN GROUP (ORDER BY a.ms) AS p50_ms,
               percentile_cont(0.95) WITHIN GROUP (ORDER BY a.ms) AS p95_ms
          FROM (SELECT substring(result::text FROM '"latency_ms":([0-9]+(?:\\.[0-9]+)?)')::float8 AS ms
                  FROM attempts
                 WHERE run_agent_id = l.id AND state = 'finished'
                 ORDER BY ordinal LIMIT ${ATTEMPTS_MAX}) AS a
         WHERE a.ms IS NOT NULL) AS times
     WHERE l.run_id = ${runId}::uuid`;
}
