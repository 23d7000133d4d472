import { randomUUID } from 'node:crypto';
import {
  type AttemptEvent,
  activityEventOf,
  activityKey,
  type EndOf,
  type EventPayloads,
  type EventSource,
  type EventSummary,
  type ExecutionEventType as EventType,
  type EvidenceLevel,
  INTERRUPTED_ENDS,
  type InnerActivity,
  type Interruption,
  isInnerActivity,
  LIVE_EVENT_TYPE,
  type StartOf,
} from '@agentclash/domain';
import type { Clock } from '../clock.js';

/** The identities that every event of one delivery carries. */
interface EventIdentity {
  run_id: string;
  run_agent_id: string;
  attempt_id: string;
  delivery: number;
  case_key: string;
  repetition: number;
}

export interface AttemptEventsOptions {
  identity: EventIdentity;
  /** The source of the agent's events. */
  source: EventSource;
  evidenceLevel: EvidenceLevel;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Takes every event, in order and already redacted; it must not throw. */
  emit: (event: AttemptEvent) => void;
  /** Replaces every opened secret in a payload. */
  redact: <T>(value: T) => T;
  /** Back-pressure: resolves when `emit` accepts more. Must not reject. */
  drained?: (() => Promise<void>) | undefined;
  /** The history is full with this many; default: never. Ends of open activities are recorded even then. */
  eventsMax?: number | undefined;
  /** Number of the last event already recorded: a verifier that is retried continues from there. */
  lastSequence?: number;
}

export interface EventExtras {
  summary?: Omit<EventSummary, 'evidence_level'>;
}

/** The source of the events of a family; in all others the agent. */
const SOURCES: Readonly<Record<string, EventSource>> = {
  sandbox: 'sandbox',
  grader: 'grader_verification',
  turn: 'multi_turn_engine',
  conversation: 'multi_turn_engine',
};
const RECORDED_BY_AGENT: EventType = 'turn.assistant.message';

/** A started activity without an end. */
type OpenActivity<A extends InnerActivity = InnerActivity> = {
  [I in A]: { activity: I; payload: EventPayloads[StartOf<I>]; startedAt: number };
}[A];

type EndEvent<A extends InnerActivity> = {
  [E in EndOf<A>]: { type: E; payload: EventPayloads[E] };
}[EndOf<A>];

/** The table of the domain, checked against the payloads of the events. */
const INTERRUPTED: {
  [A in InnerActivity]: (
    start: EventPayloads[StartOf<A>],
    why: Interruption,
    durationMs: number,
  ) => EndEvent<A>;
} = INTERRUPTED_ENDS;

/**
 * The history of one delivery: numbers events from 1 without a gap, redacts them, and tracks every start without an
 * end, so that an interrupted attempt ends its open activities.
 */
export class AttemptEvents {
  private sequence: number;
  private readonly open = new Map<string, OpenActivity>();
  private onFull: (() => void) | undefined;

  constructor(private readonly options: AttemptEventsOptions) {
    this.sequence = options.lastSequence ?? 0;
  }

  /** Number of the last event; 0 before the first. */
  get lastSequence(): number {
    return this.sequence;
  }

  /** True when the attempt has to end because its history has reached its limit. */
  get isFull(): boolean {
    return this.sequence >= (this.options.eventsMax ?? Number.POSITIVE_INFINITY);
  }

  /** Calls back once the history is full; at once when it is. */
  whenFull(onFull: () => void): void {
    if (this.isFull) onFull();
    else this.onFull = onFull;
  }

  /** Resolves when the back-pressure allows further events. */
  async drained(): Promise<void> {
    await this.options.drained?.();
  }

  record<T extends EventType>(type: T, payload: EventPayloads[T], extras: EventExtras = {}): void {
    const { identity, clock, evidenceLevel } = this.options;
    const now = clock.now();
    this.follow(type, payload);
    const numbered = type === LIVE_EVENT_TYPE ? {} : { sequence_number: ++this.sequence };
    const event: AttemptEvent<T> = {
      event_id: eventId(now),
      schema_version: '1',
      ...identity,
      ...numbered,
      event_type: type,
      source: this.sourceOf(type),
      occurred_at: new Date(now).toISOString(),
      payload: this.options.redact(payload),
      summary: this.options.redact({ ...extras.summary, evidence_level: evidenceLevel }),
    };
    this.options.emit(event);
    if (this.onFull === undefined || !this.isFull) return;
    const { onFull } = this;
    this.onFull = undefined;
    onFull();
  }

  /** Ends every open activity, innermost first. */
  closeOpen(why: Interruption): void {
    for (const open of [...this.open.values()].reverse()) this.close(open, why);
  }

  private close<A extends InnerActivity>(
    { activity, payload, startedAt }: OpenActivity<A>,
    why: Interruption,
  ): void {
    const duration = Math.round(this.options.clock.monotonic() - startedAt);
    const { type, payload: end } = INTERRUPTED[activity](payload, why, duration);
    this.record(type, end);
  }

  private sourceOf(type: EventType): EventSource {
    const family = type.slice(0, type.indexOf('.'));
    return (type === RECORDED_BY_AGENT ? undefined : SOURCES[family]) ?? this.options.source;
  }

  private follow<T extends EventType>(type: T, payload: EventPayloads[T]): void {
    const { activity, phase } = activityEventOf(type) ?? {};
    if (activity === undefined || !isInnerActivity(activity)) return;
    const key = activityKey(activity, payload);
    if (phase !== 'started') this.open.delete(key);
    else this.open.set(key, { activity, payload, startedAt: this.options.clock.monotonic() } as OpenActivity);
  }
}

/** A UUIDv7 for the given wall time (RFC 9562): ids of later events sort later, to the millisecond. */
function eventId(nowMs: number): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  // A random UUID has its random digits and its variant where version 7 has them, and costs a fraction of random bytes.
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
