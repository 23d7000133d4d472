import {
  type AttemptResult as DomainAttemptResult,
  type BlobRef as DomainBlobRef,
  type SnapshotRef as DomainSnapshotRef,
  OUTCOMES,
  type SnapshotOmissions,
} from '@agentclash/domain';
import { z } from 'zod';
import { HistoryEvent, LiveEvent } from './event.js';
import { event, job, live, rpc } from './message.js';
import { StoredCase } from './packs.js';
import { AttemptError } from './runs.js';
import { type FieldsOf, JsonObject, Uuid, type WireFieldsOf } from './values.js';

/** Bytes in the blob store, by lower-case hex sha256. */
export const BlobRef = z.object({
  sha256: z.string(),
  bytes: z.number().int(),
} satisfies FieldsOf<DomainBlobRef>);
export type BlobRef = z.infer<typeof BlobRef>;

/** A stored workspace. `omitted` lists what the archive lacks and why; absent when it is complete. */
const SnapshotRef = BlobRef.extend({
  omitted: z
    .object({
      count: z.number().int().min(1),
      reasons: z.array(z.string()),
      /** A path for each reason. */
      examples: z.array(z.string()).optional(),
    } satisfies FieldsOf<SnapshotOmissions>)
    .optional(),
} satisfies FieldsOf<Pick<DomainSnapshotRef, 'omitted'>>);

/** The result of one delivery. */
export const AttemptResult = z.object({
  outcome: z.enum(OUTCOMES),
  limit_kind: z.string().nullable(),
  finished_by: z.string(),
  error: AttemptError.nullable(),
  /** The delay of the next delivery, when a provider gave one. */
  retry_after_ms: z.number().int().nullable(),
  /** Number of the delivery's last event; scoring waits until all up to it are stored. */
  last_sequence: z.number().int().min(0),
  final_output_bytes: z.number().int().nullable(),
  /** Calls of the agent's models, also of a program's through the broker; absent in results of earlier releases. */
  model_call_count: z.number().int().nullable().optional(),
  /** Calls of tools that the platform executes; a program's own tools are not among them. Null: unknown, of an imported attempt. */
  tool_call_count: z.number().int().nullable(),
  usage: JsonObject.nullable(),
  /** Null where no call was made, and where the cost of any call is unknown. */
  cost_usd: z.number().nullable(),
  /** The known part of a cost that is unknown. */
  cost_at_least_usd: z.number().optional(),
  /** Replies of models that were served without a call; absent for none. */
  served_calls: z.number().int().optional(),
  latency_ms: z.number().nullable(),
  /** The agent's workspace as it left it; null when none was taken. */
  snapshot: SnapshotRef.nullable(),
} satisfies WireFieldsOf<DomainAttemptResult>);
export type AttemptResult = z.infer<typeof AttemptResult>;

/** The vault's query before it opens a secret. */
export const deliveries = {
  /** The owner of an active delivery: an executor holds it, or its attempt has finished and is being judged. */
  live: rpc('deliveries.v1.live', {
    input: z.object({
      workspace_id: Uuid,
      run_id: Uuid,
      attempt_id: Uuid,
      delivery: z.number().int().min(1),
      work: z.enum(['execution', 'judging']),
    }),
    /** Null: there is no such delivery, or it has ended. */
    output: z.object({ run_agent_id: Uuid.nullable() }),
  }),
};

/** Attempts of one run that wait for an executor. */
const Work = z.object({ run_id: Uuid, attempt_ids: z.array(Uuid).min(1).max(64) });

/** The most attempts without a sandbox in one job: more would wait for the slowest of them. */
export const PROMPTS_PER_JOB = 16;

/** Work for the sandbox executor. A job is complete when each of its attempts is settled or could not be claimed. */
export const execution = {
  execute: job('execution.v1.execute', { input: Work, ackWaitMs: 30_000, deliveriesMax: 3 }),
  /** Attempts without a sandbox: an executor runs many of them at once, beside its sandboxes. */
  prompt: job('execution.v1.prompt', { input: Work, ackWaitMs: 30_000, deliveriesMax: 3 }),
};

/** Pending events of one delivery, in order. */
const DeliveryEvents = z.object({
  attempt_id: Uuid,
  delivery: z.number().int().min(1),
  events: z.array(HistoryEvent).min(1),
});
export type DeliveryEvents = z.infer<typeof DeliveryEvents>;

export const executionEvents = {
  /** Pending events of attempts of one run; a delivery occurs once in a message. */
  emitted: event('execution.v1.emitted', {
    input: z.object({
      workspace_id: Uuid,
      run_id: Uuid,
      deliveries: z.array(DeliveryEvents).min(1).max(256),
    }),
  }),
  /** Executors drop the live attempts of this run. */
  cancelled: event('execution.v1.cancelled', { input: z.object({ run_id: Uuid }) }),
  /** Lanes of this run need no more attempts: executors renew their leases now, and learn which they drop. */
  halted: event('execution.v1.halted', { input: z.object({ run_id: Uuid }) }),
  /** A person has given a turn: the executor that parked the delivery resumes it. */
  turnGiven: event('execution.v1.answered', {
    input: z.object({ attempt_id: Uuid, delivery: z.number().int() }),
  }),
  /** Events of the run up to `position` are stored. */
  recorded: event('execution.v1.recorded', {
    input: z.object({ workspace_id: Uuid, run_id: Uuid, position: z.number().int() }),
  }),
};

/** Live output of attempts, for viewers: at most ten messages a second of each, none of them stored. */
export const executionLive = {
  output: live('execution.v1.output', { input: LiveEvent, tail: 'run_id' }),
};

/** The evidence of one finished attempt for a grader. */
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
  /** These events are not all: page on with `evidence.events`. Absent: they are all. */
  has_more_events: z.boolean().optional(),
  stored_case: StoredCase,
  /** The attempt was run elsewhere and imported. */
  imported: z.boolean().optional(),
  /** The models that the pack names, by the text that names them, as the run pinned them. */
  pack_models: z.record(z.string(), JsonObject).optional(),
});
export type StoredEvidence = z.infer<typeof StoredEvidence>;

/** Scoring's requests to the orchestrator. */
export const evidence = {
  /**
   * The evidence of as many attempts as fit into one reply, at least one; `rest` is to be requested again. Of an attempt
   * with a long history only its first events. Large payloads stay references: read them from the blob store.
   */
  get: rpc('evidence.v1.get', {
    input: z.object({ workspace_id: Uuid, attempt_ids: z.array(Uuid).min(1).max(64) }),
    output: z.object({
      items: z.array(StoredEvidence),
      /** Unknown, or not finished. */
      absent: z.array(z.object({ attempt_id: Uuid, code: z.enum(['not_found', 'conflict']) })),
      rest: z.array(Uuid),
    }),
  }),
  /** A page of one delivery's events after a number, as many as fit into one reply, at least one when there is one. */
  events: rpc('evidence.v1.events', {
    input: z.object({
      workspace_id: Uuid,
      attempt_id: Uuid,
      delivery: z.number().int(),
      after: z.number().int().min(0),
    }),
    output: z.object({ items: z.array(HistoryEvent), has_more: z.boolean() }),
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
