import type { RunAgent } from '@agentclash/contracts';
import type { Database } from '../../../database.js';

type KnownCosts = NonNullable<NonNullable<RunAgent['tally']>['known_costs']>;

export interface LaneCosts {
  known: KnownCosts;
  /** Cancelled attempts of a race that called no model. */
  notRun: number;
}

export interface LaneCounts {
  id: string;
  skipped: number;
  cancelled: number;
}

/** Attempts of a lane that a mean is of. */
const ATTEMPTS_MAX = 2_000;

/**
 * The costs of lanes with skipped or cancelled attempts. A cost is that of the latest delivery of an attempt that ended by
 * itself: what another attempt would cost. Agents whose calls are not all observed have none.
 */
export async function findLaneCosts(
  db: Database,
  lanes: readonly LaneCounts[],
): Promise<ReadonlyMap<string, LaneCosts>> {
  const selected = lanes.filter(({ skipped, cancelled }) => skipped > 0 || cancelled > 0);
  if (selected.length === 0) return new Map();
  const rows = await db.$queryRaw<(KnownCosts & { laneId: string; notRun: number })[]>`
    SELECT l.id AS "laneId", known.attempts, known.usd, unrun.attempts AS "notRun"
      FROM run_agents l
      JOIN runs r ON r.id = l.run_id
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS attempts, COALESCE(sum((d.result->>'cost_usd')::float8), 0)::float8 AS usd
          FROM (SELECT id FROM attempts
                 WHERE run_agent_id = l.id AND state = 'finished' AND outcome <> 'cancelled'
                 ORDER BY ordinal LIMIT ${ATTEMPTS_MAX}) a
          CROSS JOIN LATERAL (
            SELECT result FROM deliveries WHERE attempt_id = a.id ORDER BY delivery DESC LIMIT 1) d
         WHERE d.result->>'cost_usd' IS NOT NULL OR d.result->>'model_call_count' = '0') known
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS attempts
          FROM attempts a
         WHERE a.run_agent_id = l.id AND a.state = 'finished' AND a.outcome = 'cancelled'
           AND r.stop_when IS NOT NULL AND r.status <> 'cancelled'
           AND NOT EXISTS (
             SELECT FROM deliveries d
              WHERE d.attempt_id = a.id AND d.result->>'model_call_count' IS DISTINCT FROM '0')) unrun
     WHERE l.id = ANY(${selected.map(({ id }) => id)}::uuid[]) AND l.kind <> 'endpoint'
       AND COALESCE(json_array_length(l.snapshot->'config'->'model_hosts'), 0) = 0`;
  return new Map(
    rows.map(({ laneId, attempts, usd, notRun }) => [laneId, { known: { attempts, usd }, notRun }]),
  );
}
