import type { ReplayStep } from '@agentclash/api';
import type { HistoryEvent } from '@agentclash/contracts';

type Payload = HistoryEvent['payload'];

/** By what member a start finds its end; without one there is only one open at a time. */
const PAIRED_BY: Readonly<Record<string, string | undefined>> = {
  'system.run': undefined,
  'system.step': 'step_index',
  'model.call': 'call_id',
  'tool.call': 'tool_call_id',
  'sandbox.command': 'command_id',
  scoring: undefined,
};

/** The step that lasts as long as all others together. */
const LONG_STEP = 'system.run';
/** The next of these decides how it ends: another start leaves it open. */
export const LONG_STEP_TYPES = ['started', 'completed', 'failed'].map((ending) => `${LONG_STEP}.${ending}`);

/** What was sent with a call; part of its input. */
const SENT_MESSAGES = 'model.call.messages';
/** What a call's end tells again of its start, or what belongs between the two. */
const ABSORBED: ReadonlySet<string> = new Set(['model.tool_calls.proposed', SENT_MESSAGES]);

/** About what an event takes in memory beside its payload. */
const EVENT_BYTES = 512;

/** The events of one delivery folded into steps, in the order in which they began. It can be continued. */
export class Replay {
  readonly steps: ReplayStep[] = [];
  /** Of the last event taken in; 0 before the first. */
  lastNumber = 0;
  /** Whether an event before the last is missing, which may still come. */
  hasGap = false;
  /** About what it takes in memory. */
  bytes = 0;
  private readonly open = new Map<string, ReplayStep>();
  private stepIndex: number | null = null;

  constructor(readonly delivery: number) {}

  /** Takes in the next event, each once: a number that is not beyond the last is a repetition. */
  take(event: HistoryEvent): void {
    if (event.sequence_number <= this.lastNumber) return;
    this.hasGap ||= event.sequence_number !== this.lastNumber + 1;
    this.lastNumber = event.sequence_number;
    this.bytes += EVENT_BYTES + JSON.stringify(event.payload).length;
    this.fold(event);
  }

  /**
   * Whether further events change nothing about the steps from `after` to before `end`, nor that there are more behind
   * them; but for the end of the long one.
   */
  isSettled(after: number, end: number): boolean {
    const isSettled = (step: ReplayStep) => step.type === LONG_STEP || !this.mayEnd(step);
    return this.steps.length > end && this.steps.slice(after, end).every(isSettled);
  }

  /** Whether a further event may end the step: it is open, and no later start has taken its place. */
  mayEnd(step: ReplayStep): boolean {
    return step.status === 'open' && [...this.open.values()].includes(step);
  }

  private fold(event: HistoryEvent): void {
    const { open, steps } = this;
    const { base, ending } = split(event.event_type);
    const isPair = Object.hasOwn(PAIRED_BY, base) && ending !== undefined;
    const key = isPair ? keyOf(base, event.payload, open) : '';
    const started = isPair && ending !== 'started' ? open.get(key) : undefined;
    if (started !== undefined && ending !== undefined && ending !== 'started') {
      end(started, event, ending);
      open.delete(key);
      if (base === 'system.step') this.stepIndex = null;
      return;
    }
    if (ABSORBED.has(event.event_type) && absorb(open, event)) return;
    if (base === 'system.step' && ending === 'started') this.stepIndex = indexOf(event.payload);
    const step = begin(event, {
      number: steps.length + 1,
      stepIndex: this.stepIndex,
      isStart: isPair && ending === 'started',
    });
    steps.push(step);
    if (step.status === 'open') open.set(key, step);
  }
}

/** The open long step as the next event of its types leaves it. */
export function endedBy(step: ReplayStep, event: HistoryEvent): ReplayStep {
  const { ending } = split(event.event_type);
  if (ending === undefined || ending === 'started') return step;
  const ended = { ...step, sequence_numbers: [...step.sequence_numbers] };
  end(ended, event, ending);
  return ended;
}

type Ending = 'started' | 'completed' | 'failed';

function split(type: string): { base: string; ending: Ending | undefined } {
  const match = /^(.+)\.(started|completed|failed)$/.exec(type);
  return match === null
    ? { base: type, ending: undefined }
    : { base: match[1] ?? type, ending: match[2] as Ending };
}

/** Start and end have the same. What was too large to travel says no more whose end it is: the latest start's. */
function keyOf(base: string, payload: Payload, open: ReadonlyMap<string, ReplayStep>): string {
  const member = PAIRED_BY[base];
  const key = `${base} ${JSON.stringify(member === undefined ? null : payload[member])}`;
  if (typeof payload.$ref !== 'string') return key;
  return [...open.keys()].findLast((each) => each.startsWith(`${base} `)) ?? key;
}

interface Place {
  number: number;
  stepIndex: number | null;
  isStart: boolean;
}

function begin(event: HistoryEvent, { number, stepIndex, isStart }: Place): ReplayStep {
  const { base } = split(event.event_type);
  return {
    number,
    type: isStart ? base : event.event_type,
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
  const told = event.payload.duration_ms;
  step.status = ending;
  step.finished_at = event.occurred_at;
  step.duration_ms =
    typeof told === 'number'
      ? told
      : Math.max(0, Date.parse(event.occurred_at) - Date.parse(step.started_at));
  step.sequence_numbers.push(event.sequence_number);
  step.result = event.payload;
}

/** Counts an event to the model call that it belongs to: its end repeats what it says, or it is part of its input. */
function absorb(open: ReadonlyMap<string, ReplayStep>, event: HistoryEvent): boolean {
  const call = open.get(keyOf('model.call', event.payload, open));
  if (call === undefined) return false;
  call.sequence_numbers.push(event.sequence_number);
  if (event.event_type === SENT_MESSAGES) {
    const { call_id: _same, ...sent } = event.payload;
    call.input = { ...call.input, sent };
  }
  return true;
}

function indexOf({ step_index }: Payload): number | null {
  return typeof step_index === 'number' ? step_index : null;
}
