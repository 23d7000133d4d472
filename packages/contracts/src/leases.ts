import { ATTEMPT_STATES, PEER_STATES, type PeerProgress } from '@agentclash/domain';
import { z } from 'zod';
import { HistoryEvent } from './event.js';
import { AttemptResult } from './execution.js';
import { AwaitedTurn } from './human-turns.js';
import { rpc } from './message.js';
import { type FieldsOf, JsonObject, Timestamp, Uuid } from './values.js';

const ExecutorId = z.string().min(1).max(200);

const ofAttempt = z.object({
  attempt_id: Uuid,
  /** The fencing token: writes under an older delivery are rejected. */
  delivery: z.number().int().min(1),
});
/** Of a request to a model, as the n-th of its kind in its repetition. */
const RequestKey = z.string().regex(/^[0-9a-f]{64}$/);
const ofDelivery = ofAttempt.extend({ executor_id: ExecutorId });

/** The state of a held delivery; `lost`: another executor holds it, or it has ended. */
export const HELD_FATES = ['held', 'cancelled', 'lost'] as const;
export type HeldFate = (typeof HELD_FATES)[number];

/** The state of a parked delivery: `ready` has its turn or its wait has expired; `lost`: taken over or ended. */
export const PARKED_FATES = ['waits', 'ready', 'cancelled', 'lost'] as const;
export type ParkedFate = (typeof PARKED_FATES)[number];

/** The executor's requests to the orchestrator about attempts that it holds. */
export const leases = {
  /**
   * Claims the next deliveries of attempts. `plan` is the engine's attempt plan, without expected results. With the
   * reason `later` a further plan did not fit into the reply: that attempt may be requested again at once. A repeated
   * request with the same `claim_id` returns the same claims, so that a reply may be lost.
   */
  claim: rpc('leases.v1.claim', {
    input: z.object({
      attempt_ids: z.array(Uuid).min(1).max(64),
      executor_id: ExecutorId,
      claim_id: Uuid.optional(),
    }),
    output: z.object({
      lease_until: Timestamp,
      /** One for each attempt, in the requested order. */
      items: z.array(
        z.discriminatedUnion('claimed', [
          z.object({
            attempt_id: Uuid,
            claimed: z.literal(true),
            delivery: z.number().int(),
            plan: JsonObject,
          }),
          z.object({ attempt_id: Uuid, claimed: z.literal(false), reason: z.string() }),
        ]),
      ),
    }),
  }),
  /** Extends the leases of deliveries that an executor runs, reports their stages, and returns the state of each. */
  renew: rpc('leases.v1.renew', {
    input: z.object({
      executor_id: ExecutorId,
      items: z.array(ofAttempt.extend({ state: z.enum(ATTEMPT_STATES) })).max(1_000),
    }),
    output: z.object({
      lease_until: Timestamp,
      items: z.array(z.object({ attempt_id: Uuid, fate: z.enum(HELD_FATES) })),
    }),
  }),
  /**
   * The grader's part of the plan, requested only after the agent's processes have ended. The attempt is `verifying`
   * from here, except for the gate of a phase, which is graded while the conversation waits. Fails with `lease_lost`, and
   * with `conflict` for a gate that the attempt does not have.
   */
  grader: rpc('leases.v1.grader', {
    input: ofDelivery.extend({ for_phase: z.literal(true).optional() }),
    output: z.object({ plan: JsonObject }),
  }),
  /**
   * Ends deliveries, each with its last events if they did not go before: both are stored, or neither.
   * Repeated reports are accepted and change nothing; deliveries that are not held are not accepted.
   */
  finish: rpc('leases.v1.finish', {
    input: z.object({
      executor_id: ExecutorId,
      items: z
        .array(ofAttempt.extend({ result: AttemptResult, events: z.array(HistoryEvent).optional() }))
        .min(1)
        .max(256),
    }),
    output: z.object({ items: z.array(z.object({ attempt_id: Uuid, accepted: z.boolean() })) }),
  }),
  /**
   * Parks a delivery until a person has given its turn: it holds no worker and no slot of its run. Idempotent. `parked`
   * is false when the run has ended. Fails with `lease_lost`.
   */
  park: rpc('leases.v1.park', {
    input: ofDelivery.extend({
      awaits: AwaitedTurn,
      /** The state of the conversation, or its location; only the executor reads it. */
      state: JsonObject,
    }),
    output: z.object({ parked: z.boolean() }),
  }),
  /** Extends the leases of all deliveries that an executor has parked, and returns the state of each. */
  renewParked: rpc('leases.v1.renew_parked', {
    input: z.object({
      executor_id: ExecutorId,
      items: z.array(z.object({ attempt_id: Uuid, delivery: z.number().int().min(1) })).max(1_000),
    }),
    output: z.object({
      items: z.array(z.object({ attempt_id: Uuid, fate: z.enum(PARKED_FATES) })),
    }),
  }),
  /**
   * Resumes a parked delivery when its wait has ended, or in any case with `to_end`. A repeated request has the same
   * reply. Fails with `lease_lost`.
   */
  resume: rpc('leases.v1.resume', {
    input: ofDelivery.extend({ to_end: z.boolean() }),
    output: z.discriminatedUnion('resumed', [
      z.object({
        resumed: z.literal(true),
        plan: JsonObject,
        state: JsonObject,
        /** Null: no turn was given. */
        message: z.string().nullable(),
        is_cancelled: z.boolean(),
      }),
      z.object({ resumed: z.literal(false) }),
    ]),
  }),
  /** A delivery has reached a manual phase: whether it was requested. From here on requests fail. */
  reachPhase: rpc('leases.v1.reach_phase', {
    input: ofDelivery.extend({ phase_id: z.string() }),
    output: z.object({ is_requested: z.boolean() }),
  }),
  /**
   * The recorded calls of the attempt that a delivery replays, in the order of their events: a page after an event
   * number. Large ones stay references: read them from the blob store. Fails with `lease_lost`, and with `not_found` when
   * the recorded attempt was deleted.
   */
  recording: rpc('leases.v1.recording', {
    input: ofDelivery.extend({ after: z.number().int().min(0) }),
    output: z.object({ items: z.array(HistoryEvent), has_more: z.boolean() }),
  }),
  /**
   * The recorded reply of an earlier attempt of the workspace to the same request, by its key: the event that holds it,
   * large ones as a reference. Fails with `lease_lost`.
   */
  cachedReply: rpc('leases.v1.cached_reply', {
    input: ofDelivery.extend({ key: RequestKey }),
    output: z.object({ event: HistoryEvent.nullable() }),
  }),
  /** The event with this number of the delivery holds the reply to the request. Fails with `lease_lost`. */
  cacheReply: rpc('leases.v1.cache_reply', {
    input: ofDelivery.extend({ key: RequestKey, sequence_number: z.number().int().min(1) }),
    output: z.object({}),
  }),
  /** The progress of the run's other agents with the same case and repetition. */
  peers: rpc('leases.v1.peers', {
    input: ofDelivery,
    output: z.object({
      items: z.array(
        z.object({
          id: Uuid,
          steps: z.number().int(),
          state: z.enum(PEER_STATES),
        } satisfies FieldsOf<PeerProgress>),
      ),
    }),
  }),
};
