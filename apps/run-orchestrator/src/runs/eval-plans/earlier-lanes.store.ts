import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import type { RunScope } from '../admission/run-scope.source.js';

/** The last completed run of a lane, on the version and input set of the plan where there is one. */
export interface EarlierLane {
  runAgentId: string;
  runId: string;
  /** It was on the version and input set of the plan. */
  isSameSet: boolean;
}

/** Completed runs, for plans of others. */
@Injectable()
export class EarlierLanes {
  constructor(private readonly db: Database) {}

  /**
   * Of each agent, in their order; undefined without such a run. Runs without a scored attempt of it, of drafts, of chosen
   * cases, of replies that were served without a call, and of attempts that were retried for their result are no sample of
   * what a next run costs.
   */
  async find(
    workspaceId: string,
    { version, inputSet, candidates: { agents } }: RunScope,
  ): Promise<(EarlierLane | undefined)[]> {
    const deployments = agents.map(({ deployment_id }) => deployment_id);
    const variants = agents.map(({ variant }) => variant?.name ?? '');
    const rows = await this.db.$queryRaw<(EarlierLane & { position: number })[]>`
      SELECT wanted.position::int, found.*
        FROM unnest(${deployments}::uuid[], ${variants}::text[]) WITH ORDINALITY
             AS wanted (deployment_id, variant, position)
       CROSS JOIN LATERAL (
         SELECT a.id AS "runAgentId", a.run_id AS "runId",
                r.version_id = ${version.id}::uuid AND r.input_set_id = ${inputSet.id}::uuid AS "isSameSet"
           FROM run_agents a JOIN runs r ON r.id = a.run_id
          WHERE a.deployment_id = wanted.deployment_id AND COALESCE(a.variant->>'name', '') = wanted.variant
            AND a.scored > 0 AND r.workspace_id = ${workspaceId}::uuid AND r.pack_slug = ${version.slug}
            AND r.status = 'completed' AND NOT r.is_draft AND NOT r.selective_retry AND r.case_keys IS NULL
            AND (r.model_calls IS NULL OR r.model_calls = 'record')
          ORDER BY "isSameSet" DESC, r.id DESC LIMIT 1) AS found`;
    const byPosition = new Map(rows.map(({ position, ...lane }) => [position - 1, lane]));
    return agents.map((_, position) => byPosition.get(position));
  }
}
