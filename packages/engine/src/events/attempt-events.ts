import type { EventSource, EvidenceLevel } from '@agentclash/domain';
import type { Clock } from '../clock.js';
import { eventId } from './event-id.js';
import { type Interruption, isStart, type OpenStart, PAIRS, type StartType } from './pairs.js';
import type { AttemptEvent, EventPayloads, EventSummary, EventType } from './payloads.js';

/** The identities that every event of one delivery carries. */
export interface EventIdentity {
  run_id: string;
  run_agent_id: string;
  attempt_id: string;
  delivery: number;
  case_key: string;
  repetition: number;
}

export interface AttemptEventsOptions {
  identity: EventIdentity;
  /** The source of what the agent does. */
  source: EventSource;
  evidenceLevel: EvidenceLevel;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Takes every event, in order and already redacted; it must not throw. */
  emit: (event: AttemptEvent) => void;
  /** Replaces every opened secret in a payload. */
  redact: <T>(value: T) => T;
  /** Back-pressure: resolves when `emit` has room for more. Must not reject. */
  drained?: (() => Promise<void>) | undefined;
  /** The history is full with this many; default: never. Events that close what is open are recorded all the same. */
  eventsMax?: number | undefined;
  /** Number of the last event already recorded: a verifier that is retried goes on from there. */
  lastSequence?: number;
}

export interface EventExtras {
  summary?: Omit<EventSummary, 'evidence_level'>;
}

/** Who speaks in the events of a family; in all others the agent does. */
const SOURCES: Readonly<Record<string, EventSource>> = {
  sandbox: 'sandbox',
  grader: 'grader_verification',
  turn: 'multi_turn_engine',
  conversation: 'multi_turn_engine',
};
const SAID_BY_AGENT: EventType = 'turn.assistant.message';

/** Live only: neither numbered nor stored. */
const UNNUMBERED: ReadonlySet<EventType> = new Set(['model.output.delta']);

/**
 * The history of one delivery: numbers events from 1 without a gap, redacts them, and remembers every start that has
 * not ended, so that an interrupted attempt closes what it opened.
 */
export class AttemptEvents {
  private sequence: number;
  private readonly open = new Map<string, OpenStart>();
  private onFull: (() => void) | undefined;

  constructor(private readonly options: AttemptEventsOptions) {
    this.sequence = options.lastSequence ?? 0;
  }

  /** Number of the last event; 0 before the first. */
  get lastSequence(): number {
    return this.sequence;
  }

  /** Whether the attempt has to end because its history is as long as it may be. */
  get isFull(): boolean {
    return this.sequence >= (this.options.eventsMax ?? Number.POSITIVE_INFINITY);
  }

  /** Calls back once the history is full; at once when it is. */
  whenFull(onFull: () => void): void {
    if (this.isFull) onFull();
    else this.onFull = onFull;
  }

  /** Resolves when the events recorded so far leave room for more. */
  async drained(): Promise<void> {
    await this.options.drained?.();
  }

  record<T extends EventType>(type: T, payload: EventPayloads[T], extras: EventExtras = {}): void {
    const { identity, clock, evidenceLevel } = this.options;
    const now = clock.now();
    this.follow(type, payload);
    const numbered = UNNUMBERED.has(type) ? {} : { sequence_number: ++this.sequence };
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

  /** Ends everything that was started and is not over, innermost first. */
  closeOpen(why: Interruption): void {
    for (const start of [...this.open.values()].reverse()) this.close(start, why);
  }

  private close<T extends StartType>(start: OpenStart<T>, why: Interruption): void {
    const pair = PAIRS[start.type];
    const duration = Math.round(this.options.clock.monotonic() - start.startedAt);
    const closing = pair.close(start.payload, why, duration);
    this.record(closing.type, closing.payload);
  }

  private sourceOf(type: EventType): EventSource {
    const family = type.slice(0, type.indexOf('.'));
    return (type === SAID_BY_AGENT ? undefined : SOURCES[family]) ?? this.options.source;
  }

  private follow<T extends EventType>(type: T, payload: EventPayloads[T]): void {
    if (isStart(type)) this.remember(type, payload as EventPayloads[T & StartType]);
    else this.forget(type, payload);
  }

  private remember<T extends StartType>(type: T, payload: EventPayloads[T]): void {
    const key = `${type} ${PAIRS[type].key(payload)}`;
    this.open.set(key, { type, key, payload, startedAt: this.options.clock.monotonic() });
  }

  private forget(type: EventType, payload: EventPayloads[EventType]): void {
    for (const start of Object.keys(PAIRS).filter(isStartName)) {
      if (!PAIRS[start].ends.includes(type)) continue;
      const key = PAIRS[start].key as (ended: EventPayloads[EventType]) => string;
      this.open.delete(`${start} ${key(payload)}`);
    }
  }
}

const isStartName = (name: string): name is StartType => name in PAIRS;
