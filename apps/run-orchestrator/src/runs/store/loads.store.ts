import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { Prisma } from '../../generated/client.js';
import { IN_SANDBOXES, PROMPTS } from '../state/dispatch-policy.js';
import type { RunLoad } from '../state/fair-shares.js';

/** How many attempts of a run `r` may be handed out at once. */
export const MAX_IN_FLIGHT = Prisma.sql`
  COALESCE(r.max_concurrency, CASE r.execution_mode WHEN 'prompt_eval' THEN ${PROMPTS.maxInFlight}::int ELSE ${IN_SANDBOXES.maxInFlight}::int END)`;

/** What the runs of a workspace have handed out. */
@Injectable()
export class LoadsStore {
  /**
   * Of every run of the workspace that has attempts left, oldest first. Locked until the end of the transaction:
   * two runs must not take the same free slots.
   */
  async lock(tx: Transaction, workspaceId: string): Promise<RunLoad[]> {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`room/${workspaceId}`}, 0))`;
    return await tx.$queryRaw<RunLoad[]>`
      SELECT live.id AS "runId", live.handed_out AS "handedOut",
             (live.handed_out + LEAST(live.queued, GREATEST(0, live.size - live.handed_out)))::int AS wanted
        FROM (
          SELECT r.id, ${MAX_IN_FLIGHT} AS size,
                 (SELECT count(*)::int FROM attempts a
                   WHERE a.run_id = r.id
                     AND ((a.state = 'queued' AND a.nudged_at IS NOT NULL)
                          OR a.state IN ('preparing', 'running', 'settling', 'verifying'))) AS handed_out,
                 CASE WHEN r.status IN ('queued', 'running') THEN (
                   SELECT count(*)::int FROM (
                     SELECT FROM attempts a WHERE a.run_id = r.id AND a.state = 'queued' AND a.nudged_at IS NULL
                      LIMIT ${MAX_IN_FLIGHT}) AS waiting)
                 ELSE 0 END AS queued
            FROM runs r
           WHERE r.workspace_id = ${workspaceId}::uuid AND r.finished_at IS NULL
             AND r.status IN ('queued', 'running', 'paused', 'cancelled', 'failed')) AS live
       ORDER BY live.id`;
  }
}
