import {
  ATTEMPT_STATES,
  type AttemptError as DomainAttemptError,
  MODEL_CALL_MODES,
  OUTCOMES,
  RUN_STATUSES,
} from '@agentclash/domain';
import { z } from 'zod';
import { HistoryEvent, RecordedEvent } from './event.js';
import {
  AwaitedTurn,
  byPerson,
  HumanTurn,
  HumanTurnRequest,
  PhaseRequest,
  RequestedPhase,
} from './human-turns.js';
import { rpc } from './message.js';
import { PackError } from './pack-error.js';
import { RetryRequest, RunEdit, SentRunRequest } from './run-request.js';
import { RetriedRun, Run, RunAgent, RunTrend } from './run-views.js';
import {
  Actor,
  type FieldsOf,
  IdPart,
  JsonObject,
  PageQuery,
  PlainText,
  POSITION_MAX,
  page,
  Timestamp,
  Uuid,
} from './values.js';

export const AttemptError = z.object({
  code: z.string(),
  class: z.string().optional(),
  message: z.string(),
  retryable: z.boolean(),
} satisfies FieldsOf<DomainAttemptError>);

export const Attempt = z.object({
  id: Uuid,
  run_id: Uuid,
  run_agent_id: Uuid,
  agent_name: z.string(),
  case_key: z.string(),
  /** The challenge of its case; absent in runs of earlier releases. */
  challenge_key: z.string().optional(),
  repetition: z.number().int(),
  state: z.enum(ATTEMPT_STATES),
  delivery: z.number().int(),
  outcome: z.enum(OUTCOMES).nullable(),
  limit_kind: z.string().nullable(),
  finished_by: z.string().nullable(),
  error: AttemptError.nullable(),
  /** From the attempt's scorecard; null until it is scored. */
  overall: z.number().nullable(),
  passed: z.boolean().nullable(),
  validity: z.string().nullable(),
  /** Set when the pack, and not the agent, keeps it from being graded; it has no score then. */
  pack_error: PackError.optional(),
  is_scored: z.boolean(),
  /** It was run elsewhere and imported; absent for others. */
  imported: z.boolean().optional(),
  /** Calls of the agent's models, also of a program's through the broker; absent where it is not known. */
  model_call_count: z.number().int().optional(),
  /** Calls of tools that the platform executes; a program's own tools are not among them. Null: unknown, or before the end. */
  tool_call_count: z.number().int().nullable(),
  /** Replies of models that were served without a call; absent for none. */
  served_calls: z.number().int().optional(),
  /** Tokens of the agent's models; absent where they are not known. */
  usage: JsonObject.optional(),
  /** In US dollars. Null: the cost of at least one call is unknown, or there was none. Absent before the end. */
  cost_usd: z.number().nullable().optional(),
  /** The known part of a cost that is unknown; absent where no part is known. */
  cost_at_least_usd: z.number().optional(),
  latency_ms: z.number().nullable(),
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
  /** While it is parked: the turn that waits for a person. */
  awaits: AwaitedTurn.nullable().optional(),
});
export type Attempt = z.infer<typeof Attempt>;

/** A text found in an event of an attempt. */
export const TranscriptMatch = z.object({
  attempt_id: Uuid,
  run_agent_id: Uuid,
  agent_name: z.string(),
  case_key: z.string(),
  repetition: z.number().int(),
  delivery: z.number().int(),
  /** The event's number within its delivery. */
  sequence_number: z.number().int(),
  event_type: z.string(),
  occurred_at: Timestamp,
  /** The text around the match, at most 80 characters on each side. */
  before: z.string(),
  match: z.string(),
  after: z.string(),
});
export type TranscriptMatch = z.infer<typeof TranscriptMatch>;

const inWorkspace = { workspace_id: Uuid };
const ofRun = z.object({ ...inWorkspace, run_id: Uuid });

export const runs = {
  /**
   * Fails with `not_found` (version, deployment, lineup, input set), `deployments_required`, `input_set_required`,
   * `no_input_sets`, `version_archived`, `unsupported_capability`, `incompatible_deployment`,
   * `provider_account_required`, `price_unknown`, `missing_secret`, `secret_too_short`; nothing is written then.
   */
  create: rpc('runs.v1.create', {
    input: z.object({
      ...inWorkspace,
      request: SentRunRequest,
      actor: Actor,
      /** One run for each: a repeated request with it returns the existing run. */
      request_id: PlainText.min(1).max(200).optional(),
    }),
    output: Run,
  }),
  list: rpc('runs.v1.list', {
    input: PageQuery.extend({
      ...inWorkspace,
      status: z.enum(RUN_STATUSES).optional(),
      pack: PlainText.optional(),
      /** Id or name of one that takes part. */
      deployment: PlainText.optional(),
      /** The form of release 0.1.0. */
      deployment_id: Uuid.optional(),
      label: PlainText.optional(),
      /** How its models were called. */
      model_calls: z.enum(MODEL_CALL_MODES).optional(),
      /** Part of the run's name or of its pack's, in any case of letters; its number as `#42` or `42`; the beginning of its id. */
      q: PlainText.max(200).optional(),
    }),
    output: page(Run),
  }),
  /** Completed runs with the scores, costs and times of their agents, newest first; of one deployment its agents alone. */
  trends: rpc('runs.v1.trends', {
    input: PageQuery.extend({
      ...inWorkspace,
      pack: PlainText.optional(),
      /** Id or name of one that takes part. */
      deployment: PlainText.optional(),
    }),
    output: page(RunTrend),
  }),
  /**
   * Events of the last deliveries of a run's attempts, oldest first, whose payloads have a text, each with the first of its
   * texts that matches. A page ends after a bounded part of the history, and may then be short or empty: only `next_cursor` shows whether
   * more is left to search. Payloads over 4 MiB are not searched.
   */
  search: rpc('runs.v1.search', {
    input: PageQuery.extend({
      ...inWorkspace,
      run_id: Uuid,
      /** In any case of letters. */
      q: PlainText.min(2).max(200),
      run_agent_id: Uuid.optional(),
      case_key: PlainText.optional(),
    }),
    output: page(TranscriptMatch).extend({
      /** Events up to which the history is searched, of how many. */
      searched: z.number().int(),
      events: z.number().int(),
    }),
    timeoutMs: 30_000,
  }),
  get: rpc('runs.v1.show', { input: ofRun, output: Run }),
  /**
   * Runs of the workspace, and attempts, whose id begins or ends so, at most ten of each; attempts by their ending only of
   * the newest runs. A number finds the run of that number as well; as `#42` nothing else.
   */
  findIds: rpc('runs.v1.find_ids', {
    input: z.object({ ...inWorkspace, part: IdPart }),
    output: z.object({ runs: z.array(Uuid), attempts: z.array(Uuid) }),
  }),
  agent: rpc('runs.v1.agent', { input: z.object({ ...inWorkspace, run_agent_id: Uuid }), output: RunAgent }),
  agents: rpc('runs.v1.agents', {
    input: ofRun,
    output: z.object({
      items: z.array(RunAgent),
      /** The last event that these figures include. */
      position: z.number().int().min(0).optional(),
    }),
  }),
  attempts: rpc('runs.v1.attempts', {
    input: PageQuery.extend({
      ...inWorkspace,
      run_id: Uuid,
      run_agent_id: Uuid.optional(),
      case_key: PlainText.optional(),
      /** Part of the key of the case, in any case of letters. */
      q: PlainText.max(200).optional(),
      state: z.enum(ATTEMPT_STATES).optional(),
      outcome: z.enum(OUTCOMES).optional(),
    }),
    output: page(Attempt),
  }),
  /** Changes how a run is described, whatever its status. Absent members stay; the change is recorded with its actor. */
  edit: rpc('runs.v1.edit', {
    input: ofRun.extend({ request: RunEdit, actor: Actor }),
    output: Run,
  }),
  cancel: rpc('runs.v1.cancel', { input: ofRun.extend({ actor: Actor }), output: Run }),
  /** Starts no further attempt; live ones continue. Fails with `conflict` unless the run is running. */
  pause: rpc('runs.v1.pause', { input: ofRun.extend({ actor: Actor }), output: Run }),
  /** Fails with `conflict` unless the run is paused. */
  resume: rpc('runs.v1.resume', { input: ofRun.extend({ actor: Actor }), output: Run }),
  /**
   * Runs finished attempts again, in new deliveries; a run that has ended is resumed. Fails with `conflict` when there is
   * nothing to retry, an attempt is not finished, or the run was cancelled; with `not_found` for attempts of others.
   */
  retry: rpc('runs.v1.retry', {
    input: ofRun.extend({ request: RetryRequest, actor: Actor }),
    output: RetriedRun,
    timeoutMs: 30_000,
  }),
  /**
   * Deletes a run that has ended, with its evidence and scorecards: no reader finds it from then on, and what is stored
   * of it is removed in the background. Fails with `conflict` for a run that has not ended, that is a baseline
   * (`details.baselines`), or that is being scored again.
   */
  remove: rpc('runs.v1.remove', {
    input: ofRun.extend({ actor: Actor }),
    output: z.object({}),
  }),
  /** The run's events after `after` (a position), oldest first; bounded by `limit` and by bytes. */
  events: rpc('runs.v1.events', {
    input: ofRun.extend({
      after: z.number().int().min(0).max(POSITION_MAX).default(0),
      limit: z.number().int().min(1).max(1_000).default(200),
    }),
    output: z.object({
      items: z.array(RecordedEvent),
      /** True when the run has ended and nothing follows the last item. */
      is_end: z.boolean(),
    }),
  }),
};

export const attempts = {
  get: rpc('attempts.v1.get', {
    input: z.object({ ...inWorkspace, attempt_id: Uuid }),
    output: Attempt.extend({
      deliveries: z.array(
        z.object({
          delivery: z.number().int(),
          outcome: z.enum(OUTCOMES).nullable(),
          error: AttemptError.nullable(),
          started_at: Timestamp,
          finished_at: Timestamp.nullable(),
        }),
      ),
      final_output: z.string().nullable(),
      snapshot: z.object({ sha256: z.string(), bytes: z.number().int() }).nullable(),
      stored_case: JsonObject,
    }),
  }),
  /** In replay order: delivery, then sequence. `delivery` absent: the last one; `event_types` absent: all of them. */
  events: rpc('attempts.v1.events', {
    input: z.object({
      ...inWorkspace,
      attempt_id: Uuid,
      delivery: z.number().int().min(1).max(POSITION_MAX).optional(),
      event_types: z.array(z.string()).min(1).max(16).optional(),
      after: z.number().int().min(0).max(POSITION_MAX).default(0),
      limit: z.number().int().min(1).max(1_000).default(200),
    }),
    output: z.object({ items: z.array(HistoryEvent), delivery: z.number().int(), has_more: z.boolean() }),
  }),
  /** Gives the waiting turn its message; idempotent for the same message. Fails with `conflict` for every other turn. */
  answer: rpc('attempts.v1.answer', {
    input: byPerson.extend({ request: HumanTurnRequest }),
    output: HumanTurn,
  }),
  /**
   * Requests a manual phase. Idempotent. Fails with `conflict` when the phase was reached or the attempt has ended,
   * with `invalid_input` when the case has no such phase.
   */
  requestPhase: rpc('attempts.v1.request_phase', {
    input: byPerson.extend({ request: PhaseRequest }),
    output: RequestedPhase,
  }),
};
