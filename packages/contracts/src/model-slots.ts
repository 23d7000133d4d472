import { SLOT_OUTCOMES } from '@agentclash/domain';
import { z } from 'zod';
import { live, rpc } from './message.js';
import { Timestamp, Uuid } from './values.js';

/** The process that holds slots; without renewals its slots expire. */
const Owner = z.string().min(1).max(200);

/** The concurrency limit of every provider account, shared by all processes that call models. */
export const modelSlots = {
  /**
   * Requests a slot for one call and waits a while for it. Not granted: repeat with the same `slot_id` at once, which
   * keeps the queue position. Idempotent by `slot_id`; a caller that stops waiting releases it.
   */
  acquire: rpc('model_slots.v1.acquire', {
    input: z.object({
      provider_account_id: Uuid,
      run_id: Uuid,
      slot_id: Uuid,
      owner: Owner,
    }),
    output: z.discriminatedUnion('granted', [
      z.object({
        granted: z.literal(true),
        lease_until: Timestamp,
        /** Set where the orchestrator reports contention: the owner may keep the slot for its run's next calls. */
        lease_ms: z.number().int().min(1).optional(),
      }),
      z.object({ granted: z.literal(false) }),
    ]),
    timeoutMs: 20_000,
  }),
  /** Extends the slots that an owner still uses; `held` are those of them that had not expired. */
  renew: rpc('model_slots.v1.renew', {
    input: z.object({ owner: Owner, slot_ids: z.array(Uuid).max(10_000) }),
    output: z.object({ lease_until: Timestamp, held: z.array(Uuid) }),
  }),
  /**
   * Releases a slot, or a queue position. Idempotent. `retry_after_ms` is the provider's hint: nothing is admitted to
   * the account until it has passed. A slot that was kept and not used again is released as `failed`, which leaves the
   * limit as it is.
   */
  release: rpc('model_slots.v1.release', {
    input: z.object({
      slot_id: Uuid,
      owner: Owner,
      provider_account_id: Uuid,
      outcome: z.enum(SLOT_OUTCOMES),
      retry_after_ms: z.number().int().min(0).optional(),
    }),
    output: z.object({}),
  }),
};

export const modelSlotEvents = {
  /**
   * Calls wait for the account, or its provider has refused one: owners release the slots that no call uses and keep none
   * for a while. Repeated while calls wait.
   */
  contended: live('model_slots.v1.contended', { input: z.object({ provider_account_id: Uuid }) }),
};
