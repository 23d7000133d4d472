import { z } from 'zod';
import { HistoryEvent } from './event.js';
import { event, job, rpc } from './message.js';
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
  /** Events of the run up to `position` are stored. */
  recorded: event('execution.v1.recorded', {
    input: z.object({ workspace_id: Uuid, run_id: Uuid, position: z.number().int() }),
  }),
};

/** What scoring asks of the orchestrator. */
export const evidence = {
  /** Payloads stay references where they are large: read them from the blob store. */
  get: rpc('evidence.v1.get', {
    input: z.object({ workspace_id: Uuid, attempt_id: Uuid }),
    output: z.object({
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
    }),
    timeoutMs: 15_000,
  }),
};
