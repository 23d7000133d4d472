import type { HistoryEvent } from '@agentclash/contracts';
import {
  type Activity,
  activityEventOf,
  activityKey,
  type ExecutionEventType,
  endsOf,
} from '@agentclash/domain';
import type { ReplayStep } from '../routes/attempts.js';

type Payload = HistoryEvent['payload'];

/** The step around all others. */
const LONG_STEP = 'system.run' satisfies Activity;
/** The next event of these types determines its end: another start leaves it open. */
export const LONG_STEP_TYPES: readonly string[] = [`${LONG_STEP}.started`, ...endsOf(LONG_STEP)];

/** The messages sent with a call; part of its input. */
const SENT_MESSAGES = 'model.call.messages' satisfies ExecutionEventType;
/** Events that repeat parts of a call's start or end, or belong between the two. */
const PARTS_OF_CALLS: ReadonlySet<string> = new Set(['model.tool_calls.proposed', SENT_MESSAGES]);

/** Approximate memory of an event besides its payload. */
const EVENT_BYTES = 512;

/** Kept for replays of the attempt: requests and replies that other events show. */
const RECORDED = 'model.call.recorded' satisfies ExecutionEventType;

/** The events of one delivery folded into steps, in the order of their starts. It can be continued. */
export class Replay {
  readonly steps: ReplayStep[] = [];
  /** Of the last event folded in; 0 before the first. */
  lastNumber = 0;
  /** True when an event before the last is missing, which may still arrive. */
  hasGap = false;
  /** Approximate size in memory. */
  bytes = 0;
  /** The events with the messages sent in a model call, by the numbers of their steps. */
  readonly sent = new Map<number, number>();
  /** So many of the first steps may have lost their payloads. */
  dropped = 0;
  private readonly open = new Map<string, ReplayStep>();
  private stepIndex: number | null = null;

  constructor(readonly delivery: number) {}

  /** Folds in the next event, each once: an event whose number is not beyond the last is a duplicate. */
  apply(event: HistoryEvent): void {
    if (event.sequence_number <= this.lastNumber) return;
    this.hasGap ||= event.sequence_number !== this.lastNumber + 1;
    this.lastNumber = event.sequence_number;
    this.bytes += EVENT_BYTES + JSON.stringify(event.payload).length;
    this.fold(event);
  }

  /**
   * True when further events change neither the steps from `after` to before `end` nor whether more follow, except for
   * the end of the long step.
   */
  isSettled(after: number, end: number): boolean {
    const isSettled = (step: ReplayStep) => step.type === LONG_STEP || !this.mayEnd(step);
    return this.steps.length > end && this.steps.slice(after, end).every(isSettled);
  }

  /** True when a further event may end the step: it is open, and no later start has replaced it. */
  mayEnd(step: ReplayStep): boolean {
    return step.status === 'open' && [...this.open.values()].includes(step);
  }

  /** Drops the payloads of the first `count` steps, except of those that may still end. Slices taken before stay whole. */
  drop(count: number): void {
    for (; this.dropped < Math.min(count, this.steps.length); this.dropped += 1) {
      const step = this.steps[this.dropped];
      if (step === undefined || this.mayEnd(step)) continue;
      this.bytes -= JSON.stringify([step.input, step.result]).length;
      this.steps[this.dropped] = { ...step, input: null, result: null };
      this.sent.delete(step.number);
    }
  }

  private fold(event: HistoryEvent): void {
    const { open, steps } = this;
    const { activity, phase } = activityEventOf(event.event_type) ?? {};
    const key = activity === undefined ? '' : keyOf(activity, event.payload, open);
    const started = phase === 'started' ? undefined : open.get(key);
    if (started !== undefined && phase !== undefined && phase !== 'started') {
      end(started, event, phase);
      open.delete(key);
      if (activity === 'system.step') this.stepIndex = null;
      return;
    }
    if (event.event_type === RECORDED) return;
    if (PARTS_OF_CALLS.has(event.event_type) && this.addToCall(event)) return;
    const startOf = phase === 'started' ? activity : undefined;
    if (startOf === 'system.step') this.stepIndex = indexOf(event.payload);
    const step = begin(event, { number: steps.length + 1, stepIndex: this.stepIndex, startOf });
    steps.push(step);
    if (step.status === 'open') open.set(key, step);
  }

  /** Adds an event to its model call: the call's end repeats it, or it is part of the call's input. */
  private addToCall(event: HistoryEvent): boolean {
    const call = this.open.get(keyOf('model.call', event.payload, this.open));
    if (call === undefined) return false;
    call.sequence_numbers.push(event.sequence_number);
    if (event.event_type === SENT_MESSAGES) {
      const { call_id: _same, ...sent } = event.payload;
      call.input = { ...call.input, sent };
      this.sent.set(call.number, event.sequence_number);
    }
    return true;
  }
}

/** The open long step after the next event of its types. */
export function endedBy(step: ReplayStep, event: HistoryEvent): ReplayStep {
  const { phase = 'started' } = activityEventOf(event.event_type) ?? {};
  if (phase === 'started') return step;
  const ended = { ...step, sequence_numbers: [...step.sequence_numbers] };
  end(ended, event, phase);
  return ended;
}

/**
 * The key of an open activity. A payload that was stored separately lacks its member: the end belongs to the latest
 * start.
 */
function keyOf(activity: Activity, payload: Payload, open: ReadonlyMap<string, ReplayStep>): string {
  const key = activityKey(activity, payload);
  if (typeof payload.$ref !== 'string') return key;
  return [...open.keys()].findLast((each) => each.startsWith(`${activity} `)) ?? key;
}

interface StepPosition {
  number: number;
  stepIndex: number | null;
  /** The activity that the event starts. */
  startOf: Activity | undefined;
}

function begin(event: HistoryEvent, { number, stepIndex, startOf }: StepPosition): ReplayStep {
  const isStart = startOf !== undefined;
  return {
    number,
    type: startOf ?? event.event_type,
    status: isStart ? 'open' : 'noted',
    source: event.source,
    step_index: indexOf(event.payload) ?? stepIndex,
    started_at: event.occurred_at,
    finished_at: isStart ? null : event.occurred_at,
    duration_ms: null,
    sequence_numbers: [event.sequence_number],
    input: isStart ? event.payload : null,
    result: isStart ? null : event.payload,
  };
}

function end(step: ReplayStep, event: HistoryEvent, ending: 'completed' | 'failed'): void {
  const duration = event.payload.duration_ms;
  step.status = ending;
  step.finished_at = event.occurred_at;
  step.duration_ms =
    typeof duration === 'number'
      ? duration
      : Math.max(0, Date.parse(event.occurred_at) - Date.parse(step.started_at));
  step.sequence_numbers.push(event.sequence_number);
  step.result = event.payload;
}

function indexOf({ step_index }: Payload): number | null {
  return typeof step_index === 'number' ? step_index : null;
}
