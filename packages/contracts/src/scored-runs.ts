import { z } from 'zod';
import { rpc } from './message.js';
import { Uuid } from './values.js';

/** Attempts whose rows one request removes: what a service deletes in one short transaction. */
export const REMOVED_ATTEMPTS_MAX = 500;

const ofRun = z.object({ workspace_id: Uuid, run_id: Uuid });

/** Requests of the orchestrator to scoring when a run is deleted. Both may be repeated. */
export const scoredRuns = {
  /**
   * From then on scoring writes nothing for the run and sets no baseline on it. Fails with `conflict` while the run is a
   * baseline (`details.baselines` names them) or is being scored again; nothing changes then.
   */
  release: rpc('scored_runs.v1.release', { input: ofRun, output: z.object({}) }),
  /**
   * Removes what was stored of a released run: of these attempts, and all that belongs to the run as a whole. Fails with
   * `conflict` for a run that was not released.
   */
  purge: rpc('scored_runs.v1.purge', {
    input: ofRun.extend({ attempt_ids: z.array(Uuid).max(REMOVED_ATTEMPTS_MAX) }),
    output: z.object({ rows: z.number().int() }),
  }),
};
