import type { RunAgent } from '@agentclash/contracts';
import type { Database } from '../../../database.js';

type Latency = NonNullable<RunAgent['latency']>;

/** Attempts of a lane that its percentiles are of. */
const ATTEMPTS_MAX = 5_000;

/** Percentiles of the times of the attempts of lanes; none for a lane without a known time. */
export async function findLaneLatencies(
  db: Database,
  laneIds: readonly string[],
): Promise<ReadonlyMap<string, Latency>> {
  if (laneIds.length === 0) return new Map();
  // Read from the text: JSON with U+0000 in it cannot be taken apart by operators, and quotes within strings are escaped.
  const rows = await db.$queryRaw<(Latency & { laneId: string })[]>`
    SELECT l.id AS "laneId", times.attempts, times.p50_ms, times.p95_ms
      FROM unnest(${laneIds}::uuid[]) AS l (id)
      CROSS JOIN LATERAL (
        SELECT count(a.ms)::int AS attempts,
               percentile_cont(0.5) WITHIN GROUP (ORDER BY a.ms) AS p50_ms,
               percentile_cont(0.95) WITHIN GROUP (ORDER BY a.ms) AS p95_ms
          FROM (SELECT substring(result::text FROM '"latency_ms":([0-9]+(?:\\.[0-9]+)?)')::float8 AS ms
                  FROM attempts
                 WHERE run_agent_id = l.id AND state = 'finished'
                 ORDER BY ordinal LIMIT ${ATTEMPTS_MAX}) AS a
         WHERE a.ms IS NOT NULL) AS times
     WHERE times.attempts > 0`;
  return new Map(rows.map(({ laneId, ...latency }) => [laneId, latency]));
}
