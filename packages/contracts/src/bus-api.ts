import { z } from 'zod';
import { Envelope, job, rpc } from './message.js';
import { ONE_CHOICE_AT_MOST, RunRequest, refuseSeveralChoices } from './run-request.js';
import { Run } from './run-views.js';
import { scorecards } from './scorecards.js';
import { Actor, PlainText, Uuid } from './values.js';

/** An internal service's own id of a request, unique in the workspace for ever. */
export const RequestId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ : / + = -');

const { challenge_pack_version_id, challenge_input_set_id: _byKey, ...options } = RunRequest.shape;

/** Exactly one of them is given. */
const PACK_CHOICE = ['challenge_pack_version_id', 'challenge_pack'] as const;

/** An internal service's request for a run: by ids, or by names of its workspace. */
export const RunOrder = z
  .strictObject({
    request_id: RequestId,
    /** The same as the subject's last token. */
    workspace_id: Uuid,
    challenge_pack_version_id: challenge_pack_version_id.optional(),
    /** Without `version` the newest one that is runnable. */
    challenge_pack: z
      .strictObject({ slug: PlainText.min(1).max(128), version: z.number().int().min(1).optional() })
      .optional(),
    /** Its key; needed where the version has several. */
    input_set: PlainText.min(1).max(200).optional(),
    /** The requester, for the audit trail: `created_by` of the run. */
    requested_by: Actor,
    ...options,
  })
  .superRefine((order, context) => {
    const [one, other] = PACK_CHOICE;
    const given = PACK_CHOICE.filter((choice) => order[choice] !== undefined).length;
    if (given !== 1) {
      const message = given === 0 ? `or ${other} is required` : `and ${other} exclude each other`;
      context.addIssue({ code: 'custom', path: [one], message });
    }
    refuseSeveralChoices(order, context);
  })
  .meta({ oneOf: PACK_CHOICE.map((name) => ({ required: [name] })), ...ONE_CHOICE_AT_MOST });
export type RunOrder = z.infer<typeof RunOrder>;

/** A run by its id, or by the id of its request. */
const OfRun = z
  .object({ workspace_id: Uuid, run_id: Uuid.optional(), request_id: RequestId.optional() })
  .refine(({ run_id, request_id }) => (run_id === undefined) !== (request_id === undefined), {
    path: ['run_id'],
    message: 'or request_id is required, and not both',
  })
  .meta({ oneOf: [{ required: ['run_id'] }, { required: ['request_id'] }] });

/**
 * The API for internal services that do not use HTTP. Their bus user belongs to one workspace; `runEvents` report the
 * results of their requests.
 */
export const busApi = {
  /**
   * Holds a `RunOrder`. Exactly one run per request id, also for duplicates; a request that can never succeed results in
   * `runEvents.rejected`.
   */
  request: job('runs.v1.request', {
    tail: 'workspace_id',
    input: Envelope,
    isExternal: true,
    ackWaitMs: 30_000,
    deliveriesMax: 50,
  }),
  /** Fails with `not_found`, also for what another workspace has. */
  get: rpc('runs.v1.get', { tail: 'workspace_id', input: OfRun, output: Run }),
  /** The ranking and the scorecard of each agent, with their states until they exist. Fails with `not_found`. */
  scorecard: rpc('runs.v1.scorecard', {
    tail: 'workspace_id',
    input: OfRun,
    output: z.object({
      run_id: Uuid,
      ranking: scorecards.ranking.output,
      agents: z.array(scorecards.runAgent.output),
    }),
  }),
};
