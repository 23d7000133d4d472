import {
  attempts,
  HistoryEvent,
  HumanTurn,
  HumanTurnRequest,
  PhaseRequest,
  POSITION_MAX,
  RequestedPhase,
  scorecards,
  Timestamp,
  Uuid,
} from '@agentclash/contracts';
import { z } from 'zod';
import { ListQuery } from './list-query.js';
import { route } from './route.js';

const path = '/v1/workspaces/{ws}/attempts/{attempt_id}';

const OfDelivery = ListQuery.extend({
  /** Default: the last one. */
  delivery: z.number().int().min(1).max(POSITION_MAX).optional(),
});

const SequenceNumber = z.string().regex(/^[1-9]\d{0,8}$/, 'is not the number of an event');

/** A text that is not whole in a step, or a payload that is stored separately. */
export const ReplayCut = z.object({
  /** Members and indexes that lead to it within the step. */
  at: z.array(z.union([z.string(), z.number().int()])),
  /** The event whose payload has the whole. */
  event: z.number().int(),
  /** Of the whole: characters of a text, bytes of a payload. */
  length: z.number().int(),
});
export type ReplayCut = z.infer<typeof ReplayCut>;

/**
 * One step of a replay: a start joined with its end, or a single event (`status: noted`, the payload under
 * `result`). `type` is the event's type without the ending.
 */
export const ReplayStep = z.object({
  /** Counts from 1 within the delivery. */
  number: z.number().int(),
  type: z.string(),
  status: z.enum(['open', 'completed', 'failed', 'noted']),
  source: z.string(),
  /** The agent's step within which it happened. */
  step_index: z.number().int().nullable(),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
  duration_ms: z.number().nullable(),
  /** The events behind it. */
  sequence_numbers: z.array(z.number().int()),
  input: z.record(z.string(), z.unknown()).nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  /** The parts that `text_max` left out; absent where it left out nothing. */
  cuts: z.array(ReplayCut).optional(),
});
export type ReplayStep = z.infer<typeof ReplayStep>;

export const attemptRoutes = {
  get: route({
    method: 'GET',
    path,
    access: 'viewer',
    summary: 'One attempt with its deliveries, its evidence and the stored case',
    response: attempts.get.output,
    status: 200,
  }),
  events: route({
    method: 'GET',
    path: `${path}/events`,
    access: 'viewer',
    summary: 'The events of one delivery, in order',
    query: OfDelivery.extend({
      /** Only the events of this type, such as `grader.verification.file_captured`. */
      event_type: z.string().min(1).max(100).optional(),
    }),
    response: z.object({
      items: z.array(HistoryEvent),
      next_cursor: z.string().nullable(),
      delivery: z.number().int(),
    }),
    status: 200,
  }),
  payload: route({
    method: 'GET',
    path: `${path}/events/{sequence_number}/payload`,
    access: 'viewer',
    summary: 'The payload of one event as JSON, whole, however large it is',
    params: { sequence_number: SequenceNumber },
    query: z.strictObject({ delivery: OfDelivery.shape.delivery }),
    response: 'bytes',
    status: 200,
  }),
  replay: route({
    method: 'GET',
    path: `${path}/replay`,
    access: 'viewer',
    summary:
      'The events of one delivery folded into steps: every start joined with its end. A page is bounded by bytes too, ' +
      'and then shorter than limit: only next_cursor shows whether more follow',
    query: OfDelivery.extend({
      /** Longer texts are cut to so many characters, and listed in `cuts`. Default: all are whole. */
      text_max: z.number().int().min(100).max(1_000_000).optional(),
    }),
    response: z.object({
      items: z.array(ReplayStep),
      next_cursor: z.string().nullable(),
      attempt_id: Uuid,
      delivery: z.number().int(),
    }),
    status: 200,
  }),
  scorecard: route({
    method: 'GET',
    path: `${path}/scorecard`,
    access: 'viewer',
    summary: 'The scorecard of an attempt, or its state while there is none',
    response: scorecards.attempt.output,
    status: 200,
  }),
  answer: route({
    method: 'POST',
    path: `${path}/human-turns`,
    access: 'member',
    summary: 'Send the human turn that the attempt waits for; 409 for every other turn',
    body: HumanTurnRequest,
    response: HumanTurn,
    status: 202,
    conflicts: 'This turn does not wait',
    creates: true,
  }),
  requestPhase: route({
    method: 'POST',
    path: `${path}/phases`,
    access: 'member',
    summary: 'Request a manual phase of the conversation; 409 once it was reached',
    body: PhaseRequest,
    response: RequestedPhase,
    status: 202,
    conflicts: 'The phase was reached, or the attempt has ended',
    creates: true,
  }),
};

export const runAgentRoutes = {
  scorecard: route({
    method: 'GET',
    path: '/v1/workspaces/{ws}/run-agents/{run_agent_id}/scorecard',
    access: 'viewer',
    summary: 'The scorecard of a run agent, or its state while there is none',
    response: scorecards.runAgent.output,
    status: 200,
  }),
};
