import { DELTA_KINDS, EVENT_SOURCES } from '@agentclash/domain';
import { z } from 'zod';
import { JsonObject, Timestamp, Uuid } from './values.js';

/**
 * One fact in the ordered history of an attempt (numbered from 1 without a gap within a delivery) or of a run
 * (then without `attempt_id`, numbered within the run). A payload over 32 KiB is sent and stored as
 * `{"$ref": "sha256:…", bytes, type}`; readers receive it in full.
 */
export const HistoryEvent = z.object({
  event_id: Uuid,
  schema_version: z.literal('1'),
  run_id: Uuid,
  run_agent_id: Uuid.optional(),
  attempt_id: Uuid.optional(),
  delivery: z.number().int().min(1).optional(),
  case_key: z.string().optional(),
  repetition: z.number().int().min(1).optional(),
  sequence_number: z.number().int().min(1),
  event_type: z.string(),
  source: z.enum(EVENT_SOURCES),
  occurred_at: Timestamp,
  payload: JsonObject,
  summary: JsonObject,
});
export type HistoryEvent = z.infer<typeof HistoryEvent>;

/** A live fragment of a model's output: part of no history, so it has neither number nor position. */
export const LiveEvent = HistoryEvent.omit({ sequence_number: true }).extend({
  event_type: z.literal('model.output.delta'),
  payload: z.object({
    /** As in `model.call.started`. */
    call_id: z.string(),
    kind: z.enum(DELTA_KINDS),
    text: z.string(),
  }),
});
export type LiveEvent = z.infer<typeof LiveEvent>;

/** A stored event. `position` orders all events of one run without a gap: the cursor of a live stream. */
export const RecordedEvent = HistoryEvent.extend({ position: z.number().int().min(1) });
export type RecordedEvent = z.infer<typeof RecordedEvent>;
