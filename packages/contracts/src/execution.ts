import { z } from 'zod';
import { HistoryEvent, LiveEvent } from './event.js';
import { AwaitedTurn } from './human-turns.js';
import { event, job, live, rpc } from './message.js';
import { StoredCase } from './packs.js';
import { ATTEMPT_STATES, AttemptError, OUTCOMES } from './runs.js';
import { JsonObject, Timestamp, Uuid } from './values.js';

const ofDelivery = z.object({
  attempt_id: Uuid,
  /** The fencing token: writes under an older delivery are refused with `lease_lost`. */
  delivery: z.number().int().min(1),
  executor_id: z.string().min(1).max(200),
});

/** Bytes in the blob store, by lower-case hex sha256. */
export const BlobRef = z.object({ sha256: z.string(), bytes: z.number().int() });
export type BlobRef = z.infer<typeof BlobRef>;

/** How one delivery ended. */
export const AttemptResult = z.object({
  outcome: z.enum(OUTCOMES),
  limit_kind: z.string().nullable(),
  finished_by: z.string(),
  error: AttemptError.nullable(),
  /** How long to wait before a next delivery, when a provider said so. */
  retry_after_ms: z.number().int().nullable(),
  /** Number of the delivery's last event; scoring waits until all up to it are stored. */
  last_sequence: z.number().int().min(0),
  final_output_bytes: z.number().int().nullable(),
  tool_call_count: z.number().int(),
  usage: JsonObject.nullable(),
  cost_usd: z.number().nullable(),
  latency_ms: z.number().nullable(),
  /** The agent's workspace as it left it; null when none was taken. */
  snapshot: BlobRef.nullable(),
});
export type AttemptResult = z.infer<typeof AttemptResult>;

/** What became of a parked delivery: `ready` has an answer or waited long enough; `lost` is another's or over. */
export const PARKED_FATES = ['waits', 'ready', 'cancelled', 'lost'] as const;
export type ParkedFate = (typeof PARKED_FATES)[number];

/** What the executor asks of the orchestrator about the attempt it holds. */
export const leases = {
  /** Claims one delivery. `plan` is the engine's attempt plan; it holds no answers. */
  claim: rpc('leases.v1.claim', {
    input: z.object({ attempt_id: Uuid, executor_id: z.string().min(1).max(200) }),
    output: z.discriminatedUnion('claimed', [
      z.object({
        claimed: z.literal(true),
        delivery: z.number().int(),
        lease_until: Timestamp,
        plan: JsonObject,
      }),
      z.object({ claimed: z.literal(false), reason: z.string() }),
    ]),
    timeoutMs: 15_000,
  }),
  /** Extends the lease and reports the stage. Fails with `lease_lost`. */
  renew: rpc('leases.v1.renew', {
    input: ofDelivery.extend({ state: z.enum(ATTEMPT_STATES) }),
    output: z.object({ lease_until: Timestamp, is_cancelled: z.boolean() }),
  }),
  /** The grader's part, asked for only when the agent's processes are dead. The attempt is `verifying` from here. */
  grader: rpc('leases.v1.grader', {
    input: ofDelivery,
    output: z.object({ plan: JsonObject }),
    timeoutMs: 15_000,
  }),
  finish: rpc('leases.v1.finish', {
    input: ofDelivery.extend({ result: AttemptResult }),
    output: z.object({ accepted: z.boolean() }),
    timeoutMs: 15_000,
  }),
  /**
   * Puts a delivery aside until a person has answered: it holds no worker and no place in its run's window. The same
   * park twice is one. `parked` is false when the run is over. Fails with `lease_lost`.
   */
  park: rpc('leases.v1.park', {
    input: ofDelivery.extend({
      awaits: AwaitedTurn,
      /** What goes on with the conversation, or where it is kept; only the executor reads it. */
      state: JsonObject,
    }),
    output: z.object({ parked: z.boolean() }),
    timeoutMs: 15_000,
  }),
  /** Extends the leases of all deliveries that an executor has parked, and says what became of each. */
  renewParked: rpc('leases.v1.renew_parked', {
    input: z.object({
      executor_id: z.string().min(1).max(200),
      items: z.array(z.object({ attempt_id: Uuid, delivery: z.number().int().min(1) })).max(1_000),
    }),
    output: z.object({
      items: z.array(z.object({ attempt_id: Uuid, fate: z.enum(PARKED_FATES) })),
    }),
    timeoutMs: 10_000,
  }),
  /**
   * Takes a parked delivery back to work when its wait is over, or in any case when it is `to_end`. Asking again is
   * answered the same way. Fails with `lease_lost`.
   */
  resume: rpc('leases.v1.resume', {
    input: ofDelivery.extend({ to_end: z.boolean() }),
    output: z.discriminatedUnion('resumed', [
      z.object({
        resumed: z.literal(true),
        plan: JsonObject,
        state: JsonObject,
        /** Null: nobody has answered. */
        message: z.string().nullable(),
        is_cancelled: z.boolean(),
      }),
      z.object({ resumed: z.literal(false) }),
    ]),
    timeoutMs: 15_000,
  }),
  /** A delivery has reached a manual phase: whether somebody asked for it. From here on nobody can. */
  reachPhase: rpc('leases.v1.reach_phase', {
    input: ofDelivery.extend({ phase_id: z.string() }),
    output: z.object({ is_requested: z.boolean() }),
  }),
  /** How far the run's other agents are with the same case and repetition. */
  peers: rpc('leases.v1.peers', {
    input: ofDelivery,
    output: z.object({
      items: z.array(
        z.object({
          id: Uuid,
          steps: z.number().int(),
          state: z.enum(['waiting', 'working', 'finished']),
        }),
      ),
    }),
  }),
};

/** What the vault asks before it opens a secret. */
export const deliveries = {
  /** Whose delivery it is, if it is at work: an executor holds it, or its attempt has finished and is being judged. */
  live: rpc('deliveries.v1.live', {
    input: z.object({
      workspace_id: Uuid,
      run_id: Uuid,
      attempt_id: Uuid,
      delivery: z.number().int().min(1),
      work: z.enum(['execution', 'judging']),
    }),
    /** Null: there is no such delivery, or it is over. */
    output: z.object({ run_agent_id: Uuid.nullable() }),
  }),
};

/** Work for the sandbox executor. */
export const execution = {
  execute: job('execution.v1.execute', {
    input: z.object({ attempt_id: Uuid, run_id: Uuid }),
    ackWaitMs: 30_000,
    deliveriesMax: 3,
  }),
};

export const executionEvents = {
  /** What an attempt has ready, in order; one message carries many events. */
  emitted: event('execution.v1.emitted', {
    input: z.object({
      workspace_id: Uuid,
      run_id: Uuid,
      attempt_id: Uuid,
      delivery: z.number().int(),
      events: z.array(HistoryEvent).min(1),
    }),
  }),
  /** Executors drop the live attempts of this run. */
  cancelled: event('execution.v1.cancelled', { input: z.object({ run_id: Uuid }) }),
  /** A person has answered: whoever parked the delivery goes on with it. */
  answered: event('execution.v1.answered', {
    input: z.object({ attempt_id: Uuid, delivery: z.number().int() }),
  }),
  /** Events of the run up to `position` are stored. */
  recorded: event('execution.v1.recorded', {
    input: z.object({ workspace_id: Uuid, run_id: Uuid, position: z.number().int() }),
  }),
};

/** What goes on in attempts, for whoever watches: at most ten messages a second of each, none of them kept. */
export const executionLive = {
  output: live('execution.v1.output', { input: LiveEvent, tail: 'run_id' }),
};

/** All that a grader may look at of one finished attempt. */
const StoredEvidence = z.object({
  workspace_id: Uuid,
  run_id: Uuid,
  run_agent_id: Uuid,
  attempt_id: Uuid,
  delivery: z.number().int(),
  case_key: z.string(),
  repetition: z.number().int(),
  challenge_pack_version_id: Uuid,
  evaluation_spec_id: Uuid,
  result: AttemptResult,
  events: z.array(HistoryEvent),
  stored_case: StoredCase,
  /** The models that the pack names, by the text that names them, as the run pinned them. */
  pack_models: z.record(z.string(), JsonObject).optional(),
});
export type StoredEvidence = z.infer<typeof StoredEvidence>;

/** What scoring asks of the orchestrator. */
export const evidence = {
  /**
   * Of as many of the attempts as fit into one reply, at least one; `rest` is to be asked for again. Payloads stay
   * references where they are large: read them from the blob store.
   */
  get: rpc('evidence.v1.get', {
    input: z.object({ workspace_id: Uuid, attempt_ids: z.array(Uuid).min(1).max(64) }),
    output: z.object({
      items: z.array(StoredEvidence),
      /** Unknown, or not finished. */
      absent: z.array(z.object({ attempt_id: Uuid, code: z.enum(['not_found', 'conflict']) })),
      rest: z.array(Uuid),
    }),
    timeoutMs: 15_000,
  }),
  /** The attempts of all agents on one case and repetition, for judges that rank them. */
  field: rpc('evidence.v1.field', {
    input: z.object({
      workspace_id: Uuid,
      run_id: Uuid,
      case_key: z.string(),
      repetition: z.number().int().min(1),
    }),
    output: z.object({
      items: z.array(
        z.object({
          attempt_id: Uuid,
          run_agent_id: Uuid,
          delivery: z.number().int(),
          is_finished: z.boolean(),
        }),
      ),
    }),
  }),
};
