import type { Payload } from './payload.js';

/** Which component recorded an event. */
export const EVENT_SOURCES = [
  'orchestrator',
  'native_engine',
  'prompt_eval_engine',
  'multi_turn_engine',
  'program_agent',
  'endpoint_agent',
  'scripted_agent',
  'sandbox',
  'grader_verification',
  'worker_scoring',
  'imported',
] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/** The detail of an agent's work in its events. */
export type EvidenceLevel = 'native_structured' | 'hosted_black_box' | 'imported';

/** Formats of finished attempts that were run elsewhere. */
export const IMPORT_FORMATS = ['jsonl', 'atif', 'inspect'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** The scores of imported attempts: those that were recorded elsewhere, or those that the pack gives them here. */
export const IMPORT_GRADINGS = ['recorded', 'pack'] as const;

/** Event types of a run's history, recorded by the orchestrator; the bus publishes those of the run itself. */
export const RUN_EVENT_TYPES = [
  'run.requested',
  'run.state_changed',
  'run.attempt_scored',
  'run.lane_halted',
  'run.edited',
  'run.completed',
  'attempt.state_changed',
] as const;
export type RunEventType = (typeof RUN_EVENT_TYPES)[number];

/** Event types that the scoring of an attempt adds to its history; they are no evidence. */
export const SCORING_EVENT_TYPES = [
  'scoring.started',
  'scoring.metric.recorded',
  'scoring.completed',
  'scoring.failed',
] as const;
type ScoringEventType = (typeof SCORING_EVENT_TYPES)[number];

/** Event types of an attempt's execution, in the order of `EventPayloads`. */
export const EXECUTION_EVENT_TYPES = [
  'system.run.started',
  'system.step.started',
  'system.step.completed',
  'model.call.started',
  'model.call.messages',
  'model.output.delta',
  'model.tool_calls.proposed',
  'model.call.completed',
  'model.call.failed',
  'model.call.restricted',
  'model.call.refused',
  'model.call.recorded',
  'model.recording.stopped',
  'tool.server.listed',
  'tool.call.started',
  'tool.call.completed',
  'tool.call.failed',
  'sandbox.image.progressed',
  'sandbox.created',
  'sandbox.destroyed',
  'sandbox.command.started',
  'sandbox.command.completed',
  'sandbox.command.failed',
  'sandbox.file.read',
  'sandbox.file.written',
  'sandbox.file.listed',
  'network.request.completed',
  'network.request.blocked',
  'security.canary.planted',
  'policy.violation',
  'race.standings.injected',
  'turn.user.message',
  'turn.user.simulated',
  'turn.assistant.message',
  'turn.completed',
  'turn.awaiting_human',
  'turn.phase.skipped',
  'conversation.completed',
  'system.output.finalized',
  'system.run.completed',
  'system.run.failed',
  'grader.verification.file_captured',
  'grader.verification.directory_listed',
  'grader.verification.code_executed',
  'grader.verification.script_executed',
  'grader.verification.failed',
] as const;
export type ExecutionEventType = (typeof EXECUTION_EVENT_TYPES)[number];

type EventType = RunEventType | ScoringEventType | ExecutionEventType;

/** The only event that is live: it has no number and is not stored. */
export const LIVE_EVENT_TYPE = 'model.output.delta' satisfies ExecutionEventType;

/**
 * The activities that have a start and an end event, by the name that both share. `key` is the member by which an end
 * finds its start; without one only one is open at a time. `ends` are the last parts of the event types that end it.
 */
export const EVENT_PAIRS = {
  'system.run': { key: undefined, ends: ['completed', 'failed'] },
  'system.step': { key: 'step_index', ends: ['completed'] },
  'model.call': { key: 'call_id', ends: ['completed', 'failed'] },
  'tool.call': { key: 'tool_call_id', ends: ['completed', 'failed'] },
  'sandbox.command': { key: 'command_id', ends: ['completed', 'failed'] },
  scoring: { key: undefined, ends: ['completed', 'failed'] },
} as const satisfies Record<string, EventPair>;

interface EventPair {
  key: string | undefined;
  ends: readonly ('completed' | 'failed')[];
}

/** The name of an activity: its events are this name and `.started`, `.completed` or `.failed`. */
export type Activity = keyof typeof EVENT_PAIRS;
export type StartOf<A extends Activity> = `${A}.started` & EventType;
export type EndOf<A extends Activity> = A extends Activity
  ? `${A}.${(typeof EVENT_PAIRS)[A]['ends'][number]}` & EventType
  : never;

export function isActivity(name: string): name is Activity {
  return Object.hasOwn(EVENT_PAIRS, name);
}

/** The event types that end an activity. */
export function endsOf<A extends Activity>(activity: A): readonly EndOf<A>[] {
  return EVENT_PAIRS[activity].ends.map((end) => `${activity}.${end}` as EndOf<A>);
}

/** An event as part of an activity. */
interface ActivityEvent {
  activity: Activity;
  phase: 'started' | 'completed' | 'failed';
}

/** The activity that an event of this type starts or ends; undefined for every other type. */
export function activityEventOf(type: string): ActivityEvent | undefined {
  const [, activity = '', phase] = /^(.+)\.(started|completed|failed)$/.exec(type) ?? [];
  if (phase === undefined || !isActivity(activity)) return undefined;
  return { activity, phase: phase as ActivityEvent['phase'] };
}

/** The key of an activity, equal for its start and its end. */
export function activityKey(activity: Activity, payload: object): string {
  const { key } = EVENT_PAIRS[activity];
  const id = key === undefined ? null : (payload as Payload)[key];
  return `${activity} ${JSON.stringify(id)}`;
}
