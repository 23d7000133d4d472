import { MODEL_CALL_MODES, RUN_STATUSES } from '@agentclash/domain';
import { z } from 'zod';
import { CaseShare } from './case-subset.js';
import { HistoryEvent } from './event.js';
import { event } from './message.js';
import { PackError } from './pack-error.js';
import { Stopped } from './races.js';
import { Progress } from './run-views.js';
import { JsonObject, Problem, Uuid } from './values.js';

/** The member that names the subject's last token. */
const inWorkspace = { workspace_id: Uuid };

/** An event of a run on the bus: the entry of its history, with the workspace. */
const factOf = <Type extends `run.${string}`, Payload extends z.ZodType>(type: Type, payload: Payload) =>
  HistoryEvent.extend({ ...inWorkspace, event_type: z.literal(type), payload });

/** Why no run was created: a code of the error table, the problems of the request, and facts for programs. */
export const Rejection = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(Problem.partial()).optional(),
});
export type Rejection = z.infer<typeof Rejection>;

/**
 * Events of runs for internal services. The envelope is that of every recorded event; `rejected` belongs to no run, so it
 * has neither `run_id` nor a position in a history.
 */
export const runEvents = {
  requested: event('runs.v1.requested', {
    tail: 'workspace_id',
    input: factOf('run.requested', z.object({ request_id: z.string(), run_id: Uuid })),
  }),
  rejected: event('runs.v1.rejected', {
    tail: 'workspace_id',
    input: factOf('run.rejected', z.object({ request_id: z.string().nullable(), problem: Rejection })).omit({
      run_id: true,
    }),
  }),
  stateChanged: event('runs.v1.state_changed', {
    tail: 'workspace_id',
    input: factOf(
      'run.state_changed',
      z.object({
        from: z.enum(RUN_STATUSES).nullable(),
        to: z.enum(RUN_STATUSES),
        reason: z.string().optional(),
        counts: Progress,
      }),
    ),
  }),
  attemptScored: event('runs.v1.attempt_scored', {
    tail: 'workspace_id',
    input: factOf(
      'run.attempt_scored',
      z.object({
        attempt_id: Uuid,
        overall: z.number().nullable(),
        passed: z.boolean().nullable(),
        validity: z.string(),
        /** Set when the pack keeps the attempt from being graded. */
        pack_error: PackError.optional(),
        /** The attempt's earlier result, where this scorecard is not its first. */
        replaces: z.object({ overall: z.number().nullable(), passed: z.boolean().nullable() }).optional(),
      }),
    ),
  }),
  completed: event('runs.v1.completed', {
    tail: 'workspace_id',
    input: factOf(
      'run.completed',
      z.object({
        status: z.enum(RUN_STATUSES),
        counts: Progress,
        ranking: z.array(JsonObject),
        /** Attempts were run again because of their result. */
        selective_retry: z.boolean().optional(),
        /** Its attempts were run elsewhere and imported. */
        imported: z.boolean().optional(),
        /** Set when the run is not of all cases of its input set. */
        case_share: CaseShare.optional(),
        /** Set when replies of models were served instead of called for: `replay` or `cache`. */
        model_calls: z.enum(MODEL_CALL_MODES).optional(),
        /** The reason of an end before the last case. */
        stopped: Stopped.optional(),
      }),
    ),
  }),
};
