import type { TaskDocument } from '@agentclash/domain';
import type { AttemptState } from './attempt-state.js';
import type { Activity, EndOf, EventSource, EvidenceLevel, ExecutionEventType, StartOf } from './events.js';
import type { CodeExecuted, ScriptExecuted } from './grader-records.js';
import type { ImageProgressed } from './image-progressed.js';
import type { JsonObject, JsonValue } from './json.js';
import type {
  CallTiming,
  DeltaKind,
  FinishReason,
  RecordedCall,
  RecordedMessage,
  Usage,
} from './model-call.js';
import type { FinishedBy, LimitKind, Outcome } from './outcome.js';
import type { RunStopReason } from './race.js';
import type { AttemptLimits } from './task-document.js';

/** The actors of the user's side of a conversation. */
export const ACTORS = ['scripted', 'llm', 'human'] as const;
export type Actor = (typeof ACTORS)[number];

/** The turn that a conversation waits for. */
export interface AwaitedTurn {
  turn_index: number;
  phase_id: string;
  /** ISO 8601. */
  deadline_at: string;
}

export type StopReason = 'completed' | 'max_turns' | 'human_turn_timeout';

/** The kinds of a turn's expectations that are evaluated during the conversation. */
export const TURN_EXPECTATION_KINDS = ['exact_match', 'contains', 'regex_match'] as const;
export type TurnExpectationKind = (typeof TURN_EXPECTATION_KINDS)[number];

/** The result of one expectation of a turn's message. */
export interface ExpectationOutcome {
  key: string;
  kind: TurnExpectationKind;
  passed: boolean;
}

/** The stage of a tool call at which its failure began. */
export type FailureOrigin =
  | 'arguments'
  | 'policy'
  | 'budget'
  | 'resolution'
  | 'delegation'
  | 'primitive'
  | 'mock';

/** The layer that defines a tool; `mcp` for a server's, `unknown` for a name that no layer defines. */
export type ToolLayer = 'primitive' | 'pack' | 'workspace' | 'mcp' | 'unknown';

/** The error of a tool call, as the agent receives it. */
interface ToolErrorBody {
  code: string;
  message: string;
  /** JSON Pointer into the arguments. */
  path?: string;
}

/** One tool along a delegation chain, outermost first. */
export interface ResolutionHop {
  name: string;
  layer: ToolLayer;
}

/** The end of a tool call. */
interface ToolCallEnd {
  tool_call_id: string;
  tool_name: string;
  arguments: JsonValue;
  layer: ToolLayer;
  resolved_tool: string | null;
  kind: string | null;
  resolution_chain: ResolutionHop[];
  result: JsonValue;
  counted: boolean;
  duration_ms: number;
}

/** The end of the agent phase of a delivery. */
export interface RunEnd {
  outcome: Outcome;
  finished_by: FinishedBy;
  step_count: number;
  /**
   * Calls of the agent's models, also of a program's through the broker; absent in events of earlier releases. Null: unknown, of an
   * imported attempt.
   */
  model_call_count?: number | null;
  /** Calls of tools that the platform executes; a program's own tools are not among them. Null as above. */
  tool_call_count: number | null;
  usage: Usage;
  simulator_usage?: Usage;
  /** Null where no call was made, and where the cost of any call is unknown. */
  cost_usd: number | null;
  /** The known part of a cost that is unknown. */
  cost_at_least_usd?: number;
  /** Replies that were served without a call; absent for none. */
  served_calls?: number;
  latency_ms: number;
  /** Excluded from `latency_ms` and from the time limit: commands were ready to run, without CPU. */
  starved_ms?: number;
}

/** The component that used the sandbox. */
export type SandboxOrigin = 'tool' | 'program' | 'staging' | 'verifier';

/**
 * Payloads of the events of an attempt's execution, by event type. The engine writes exactly these; readers treat every
 * member as optional, because a stored event may be of another release (see `payload.ts`).
 */
export interface EventPayloads extends Record<ExecutionEventType, object> {
  'system.run.started': {
    kind: string;
    mode: string;
    provider_key?: string;
    model?: string;
    limits: AttemptLimits;
    policy: { kinds: string[]; primitives: string[] };
    tools: { name: string; layer: ToolLayer }[];
    sandbox: { provider: string; image: string | null; egress: string } | null;
    /** As the agent receives it. */
    task: TaskDocument;
    view_sha256: string;
  };
  'system.step.started': { step_index: number };
  'system.step.completed': { step_index: number; tool_call_count: number; duration_ms: number };
  'model.call.started': {
    call_id: string;
    message_count: number;
    tool_count: number;
    estimated_input_tokens: number;
  };
  /**
   * Messages sent since an earlier call; `from` is the index of the first among all messages of this call. The messages
   * before it are those of the call `continues`; without one, of the previous call.
   */
  'model.call.messages': {
    call_id: string;
    continues?: string;
    from: number;
    messages: RecordedMessage[];
  };
  'model.output.delta': { call_id: string; kind: DeltaKind; text: string };
  'model.tool_calls.proposed': { call_id: string; tool_calls: { id: string; name: string }[] };
  'model.call.completed': {
    call_id: string;
    tries: number;
    provider_key: string;
    model: string;
    response_model: string | null;
    response_id: string | null;
    finish_reason: FinishReason;
    text: string;
    tool_calls: { id: string; name: string; arguments: JsonValue }[];
    usage: Usage;
    cost_usd: number | null;
    timing: CallTiming;
    /** No call was made: the reply is one that was kept. Its usage is that of the call then; it costs nothing. */
    served_from?: 'replay' | 'cache';
  };
  'model.call.failed': {
    call_id: string;
    tries: number;
    class: string;
    /** The provider's name of the model. */
    model?: string;
    status?: number;
    retryable: boolean;
    retry_after_ms?: number;
    message: string;
    /** The provider refuses the program's request, and accepts others: the error was passed to the program. */
    caused_by_request?: boolean;
    timing: CallTiming;
  };
  /** Parts of a program's request that its provider would execute, fetch or store by itself, and that were removed. */
  'model.call.restricted': { call_id: string; removed: { path: string; feature: string }[] };
  /** Requests of a program that led to no call; `count` of the same ones. */
  'model.call.refused': { reason: string; path?: string; feature?: string; count?: number };
  'model.call.recorded': RecordedCall;
  /** Further calls are not recorded, so that the attempt cannot be replayed. */
  'model.recording.stopped': { reason: 'too_large' | 'secret'; bytes_max?: number };
  /** The tools of an MCP server as the agent is given them; none where the policy does not admit the server. */
  'tool.server.listed': {
    server: string;
    transport: 'command' | 'url';
    info?: { name: string; version: string };
    tools: { name: string; description: string; parameters: JsonObject }[];
    /** Of the list. */
    sha256?: string;
    /** The kind of tools that the policy would have to admit. */
    not_admitted?: 'network' | 'shell';
  };
  'tool.call.started': { tool_call_id: string; tool_name: string; arguments: JsonValue; step_index: number };
  'tool.call.completed': ToolCallEnd;
  'tool.call.failed': ToolCallEnd & { error: ToolErrorBody; failure_origin: FailureOrigin };
  'sandbox.image.progressed': ImageProgressed;
  'sandbox.created': { provider: string; sandbox_id: string; image: string | null; boot_ms: number };
  'sandbox.destroyed': { provider: string; sandbox_id: string; reason: string; lifetime_ms: number };
  'sandbox.command.started': {
    command_id: string;
    argv: string[];
    cwd: string;
    timeout_ms: number;
    origin: SandboxOrigin;
  };
  'sandbox.command.completed': {
    command_id: string;
    exit_code: number | null;
    signal?: string;
    timed_out: boolean;
    oom: boolean;
    stdout_bytes: number;
    stderr_bytes: number;
    stdout_tail: string;
    stderr_tail: string;
    duration_ms: number;
    /** The part of the duration that the time limit excludes: ready to run, without CPU. */
    starved_ms?: number;
  };
  'sandbox.command.failed': { command_id: string; code: string; message: string };
  'sandbox.file.read': { path: string; bytes: number; origin: SandboxOrigin };
  'sandbox.file.written': { path: string; bytes: number; origin: SandboxOrigin };
  'sandbox.file.listed': { path: string; entries: number; origin: SandboxOrigin };
  'network.request.completed': {
    tool_call_id?: string;
    method: string;
    scheme: string;
    host: string;
    port: number;
    hops: number;
    status: number;
    bytes: number;
    duration_ms: number;
  };
  'network.request.blocked': {
    tool_call_id?: string;
    method: string;
    scheme: string;
    host: string;
    port: number;
    reason: string;
    /** Equal blocked requests that this event represents; absent for one. */
    count?: number;
  };
  'security.canary.planted': { name: string; location: string; planted: boolean; value_sha256: string };
  'policy.violation': { rule: string; tool_call_id?: string; detail: string };
  'race.standings.injected': { step_index: number; trigger: string; text: string; tokens_added: number };
  'turn.user.message': { turn_index: number; phase_id: string; actor: Actor; message: string };
  'turn.user.simulated': { turn_index: number; model: string; usage: Usage; cost_usd: number | null };
  'turn.assistant.message': { turn_index: number; message: string };
  'turn.completed': {
    turn_index: number;
    phase_id: string;
    actor: Actor;
    /** True when an expectation of this turn failed. */
    mismatch: boolean;
    expects: ExpectationOutcome[];
  };
  'turn.awaiting_human': AwaitedTurn;
  'turn.phase.skipped': { phase_id: string; trigger: string };
  'conversation.completed': {
    turn_count: number;
    actors_used: Actor[];
    mismatch_turns: number[];
    human_turn_count: number;
    stop_reason: StopReason;
  };
  'system.output.finalized': {
    final_output: string;
    finished_by: FinishedBy;
    bytes: number;
    sha256: string;
  };
  'system.run.completed': RunEnd;
  'system.run.failed': RunEnd & {
    limit_kind?: LimitKind;
    error: { code: string; class?: string; message: string; retryable: boolean };
    will_retry: boolean;
  };
  'grader.verification.file_captured': {
    key: string;
    path: string;
    exists: boolean;
    bytes: number;
    truncated: boolean;
    /** Null when the file does not exist or is not UTF-8. */
    content: string | null;
    sha256: string | null;
  };
  'grader.verification.directory_listed': {
    key: string;
    path: string;
    exists: boolean;
    entries: { path: string; size: number; is_dir: boolean }[];
  };
  'grader.verification.code_executed': CodeExecuted;
  'grader.verification.script_executed': ScriptExecuted;
  'grader.verification.failed': { stage: string; code: string; message: string };
}

/** The members that lists show without reading the payload. */
export interface EventSummary {
  status?: string;
  step_index?: number;
  provider_key?: string;
  provider_model_id?: string;
  tool_name?: string;
  tool_kind?: string;
  turn_index?: number;
  phase_id?: string;
  actor?: string;
  mismatch?: boolean;
  evidence_level: EvidenceLevel;
}

/** One event of an attempt's history, as it is stored and published. */
export interface AttemptEvent<T extends ExecutionEventType = ExecutionEventType> {
  event_id: string;
  schema_version: '1';
  run_id: string;
  run_agent_id: string;
  attempt_id: string;
  delivery: number;
  case_key: string;
  repetition: number;
  /** From 1, without a gap within one delivery. Absent on live-only deltas. */
  sequence_number?: number;
  event_type: T;
  source: EventSource;
  occurred_at: string;
  payload: EventPayloads[T];
  summary: EventSummary;
}

/** Payloads of the events that the orchestrator adds to the history of an attempt. */
export interface OrchestratorEventPayloads {
  'attempt.state_changed': {
    from: AttemptState;
    to: AttemptState;
    reason?: string;
    /** The score that a retry removes from the sums. */
    score_withdrawn?: { overall: number | null; passed: boolean | null };
  };
  /** How a run is described was changed; null: removed. */
  'run.edited': {
    /** The requester. */
    by: string;
    name?: string | null;
    note?: string | null;
    labels?: Record<string, string | null>;
  };
  'run.lane_halted': {
    run_agent_id: string;
    /** The lane is eliminated, or the whole run is stopped. */
    reason: 'eliminated' | RunStopReason;
    /** Attempts that are not delivered any more. */
    skipped: number;
    /** Of an eliminated lane: the cases of the evidence by then, and the lane that was better. */
    after_cases?: number;
    by?: string | null;
  };
  'scoring.started': { revision: number };
  'scoring.metric.recorded': { key: string; state: string; value: number | boolean | null };
  'scoring.completed': { overall: number | null; passed: boolean | null; validity: string };
  'scoring.failed': { code: string; message: string };
}

type AttemptEventPayloads = EventPayloads & OrchestratorEventPayloads;
type MemberOf<P> = P extends unknown ? keyof P : never;

/**
 * The payload of a recorded event as its readers see it: only declared members can be read, and each may be absent or
 * of another type, since the event may be of another release.
 */
export type PayloadOf<T extends keyof AttemptEventPayloads> = {
  readonly [M in MemberOf<AttemptEventPayloads[T]>]?: unknown;
};

/** A step of a replay: an activity, or another event of an attempt's history. */
export type StepName =
  | Activity
  | Exclude<keyof AttemptEventPayloads, `${Activity}.${'started' | 'completed' | 'failed'}`>;

/** The payload of a step: of an activity, its start and its end together; of a model call, the messages `sent`, too. */
export type StepPayload<S extends StepName> = S extends 'model.call'
  ? PayloadOf<StartOf<S> | EndOf<S>> & { readonly sent?: unknown }
  : S extends Activity
    ? PayloadOf<StartOf<S> | EndOf<S>>
    : S extends keyof AttemptEventPayloads
      ? PayloadOf<S>
      : never;
