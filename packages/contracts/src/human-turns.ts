import { z } from 'zod';
import { Actor, PlainText, Timestamp, Uuid } from './values.js';

/** A turn of a conversation that waits for a person. */
export const AwaitedTurn = z.object({
  turn_index: z.number().int().min(0),
  phase_id: z.string(),
  deadline_at: Timestamp,
  /** The end of the agent's last message; empty before its first. */
  last_message: z.string(),
});
export type AwaitedTurn = z.infer<typeof AwaitedTurn>;

/** A person's message. Line breaks are allowed, characters that Postgres text cannot hold are not. */
const Message = z
  .string()
  .min(1)
  .max(100_000)
  .regex(/^[^\0\p{Cs}]*$/u, 'must not hold U+0000 or half a surrogate pair')
  .refine((text) => text.trim() !== '', 'must not be blank');

export const HumanTurnRequest = z.strictObject({
  turn_index: z.number().int().min(0).max(1_000_000),
  message: Message,
});

export const HumanTurn = z.object({
  attempt_id: Uuid,
  turn_index: z.number().int(),
  phase_id: z.string(),
  message: z.string(),
  given_at: Timestamp,
  given_by: z.string(),
});
export type HumanTurn = z.infer<typeof HumanTurn>;

export const PhaseRequest = z.strictObject({ phase_id: PlainText.min(1).max(200) });

export const RequestedPhase = z.object({
  attempt_id: Uuid,
  phase_id: z.string(),
  requested_at: Timestamp,
  requested_by: z.string(),
});
export type RequestedPhase = z.infer<typeof RequestedPhase>;

/** A person's request about an attempt. */
export const byPerson = z.object({ workspace_id: Uuid, attempt_id: Uuid, actor: Actor });
