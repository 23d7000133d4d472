import { ATTEMPT_STATES } from '@agentclash/domain';
import { z } from 'zod';
import { HistoryEvent } from './event.js';
import { AttemptResult } from './execution.js';
import { AwaitedTurn } from './human-turns.js';
import { rpc } from './message.js';
import { JsonObject, Timestamp, Uuid } from './values.js';

const ExecutorId = z.string().min(1).max(200);

const ofAttempt = z.object({
  attempt_id: Uuid,
  /** The fencing token: writes under an older delivery are refused. */
  delivery: z.number().int().min(1),
});
const ofDelivery = ofAttempt.extend({ executor_id: ExecutorId });

/** What became of a held delivery; `lost` is another's or over. */
export const HELD_FATES = ['held', 'cancelled', 'lost'] as const;
export type HeldFate = (typeof HELD_FATES)[number];

/** What became of a parked delivery: `ready` has an answer or waited long enough; `lost` is another's or over. */
export const PARKED_FATES = ['waits', 'ready', 'cancelled', 'lost'] as const;
export type ParkedFate = (typeof PARKED_FATES)[number];

/** What the executor asks of the orchestrator about the attempt it holds. */
export const leases = {
  /**
   * Claims the next deliveries of attempts. `plan` is the engine's attempt plan; it holds no answers. With
   * the reason `later` the reply has no room for a further plan: that attempt may be asked for again at once. What was
   * claimed under a `claim_id` is given again to whoever asks again under it, so that an answer may be lost.
   */
  claim: rpc('leases.v1.claim', {
    input: z.object({
      attempt_ids: z.array(Uuid).min(1).max(64),
      executor_id: ExecutorId,
      claim_id: Uuid.optional(),
    }),
    output: z.object({
      lease_until: Timestamp,
      /** One for each attempt, in the order asked. */
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
    timeoutMs: 15_000,
  }),
  /** Extends the leases of deliveries that an executor works on, reports their stages, and says what became of each. */
  renew: rpc('leases.v1.renew', {
    input: z.object({
      executor_id: ExecutorId,
      items: z.array(ofAttempt.extend({ state: z.enum(ATTEMPT_STATES) })).max(1_000),
    }),
    output: z.object({
      lease_until: Timestamp,
      items: z.array(z.object({ attempt_id: Uuid, fate: z.enum(HELD_FATES) })),
    }),
    timeoutMs: 10_000,
  }),
  /**
   * The grader's part, asked for only when the agent's processes are dead. The attempt is `verifying` from here. Fails
   * with `lease_lost`.
   */
  grader: rpc('leases.v1.grader', {
    input: ofDelivery,
    output: z.object({ plan: JsonObject }),
    timeoutMs: 15_000,
  }),
  /**
   * Ends deliveries, each with its last events if they did not go before: both are stored, or neither.
   * Reporting an end again is accepted and changes nothing; what is not held is not accepted.
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
      executor_id: ExecutorId,
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
