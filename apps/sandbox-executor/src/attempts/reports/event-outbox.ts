import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '@agentclash/bus';
import { executionLive, type HistoryEvent, LiveEvent } from '@agentclash/contracts';
import { payloadReference } from '@agentclash/domain';
import { type Blobs, retryWhileUnavailable } from '@agentclash/service-kit';
import type { ReadyEvents, Reports } from './reports.js';

/** Larger payloads travel and rest as a reference to the blob store. */
const PAYLOAD_BYTES_MAX = 32_768;
const BATCH_EVENTS_MAX = 64;
const BATCH_BYTES_MAX = 262_144;
/** All outboxes are emptied at the same moments, so that their events travel together. */
const FLUSH_EVERY_MS = 100;
/** The delay of the first batch: a delivery that ends sooner reports all its events with its result. */
const FIRST_AFTER_MS = 250;
/** With more than this on its way to the stream, no further work is begun that would add to it. */
const UNSENT_EVENTS_MAX = 1_024;
const UNSENT_BYTES_MAX = 4_194_304;
/** The approximate size of an event without its payload. */
const ENVELOPE_BYTES = 500;
/** Sent with the next flush only: it must not be received before the parked state is stored. */
const HELD_BACK = 'turn.awaiting_human';
/** Publishing is repeated for this time; then the delivery fails. */
const PUBLISH_TIMEOUT_MS = 30_000;

export interface DeliveryKey {
  workspace_id: string;
  run_id: string;
  attempt_id: string;
  delivery: number;
}

interface PendingEvent {
  event: HistoryEvent;
  payloadText: string;
}

/** Carries one delivery's events out of here: in order, in batches, large payloads by reference. */
export class EventOutbox {
  private pending: PendingEvent[] = [];
  private pendingBytes = 0;
  private unsentEvents = 0;
  private unsentBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> = Promise.resolve();
  private failure: unknown;
  private readonly pace = new EventPace(performance.now());

  constructor(
    private readonly delivery: DeliveryKey,
    private readonly ports: { bus: Bus; blobs: Blobs; reports: Pick<Reports, 'emit'> },
    /** True when events of the delivery have gone to the stream already. */
    private hasSent = false,
  ) {}

  /** Takes the next event of the history. A live event, which has no number, is published at once and not stored. */
  readonly add = (
    event: Omit<HistoryEvent, 'sequence_number' | 'payload' | 'summary'> & {
      sequence_number?: number;
      payload: object;
      summary: object;
    },
  ): void => {
    const { sequence_number } = event;
    if (sequence_number === undefined) {
      this.ports.bus.publishLive(executionLive.output, LiveEvent.parse(event));
      return;
    }
    const isHeldBack = event.event_type === HELD_BACK;
    if (isHeldBack) this.send();
    const payloadText = JSON.stringify(event.payload);
    const { payload, summary } = event;
    this.pending.push({
      event: { ...event, sequence_number, payload: { ...payload }, summary: { ...summary } },
      payloadText,
    });
    this.pendingBytes += payloadText.length;
    this.pace.take(performance.now());
    this.unsentEvents += 1;
    this.unsentBytes += payloadText.length;
    if (isHeldBack) return;
    if (this.pending.length >= BATCH_EVENTS_MAX || this.pendingBytes >= BATCH_BYTES_MAX) this.send();
    else this.timer ??= setTimeout(() => this.send(), this.untilFlushMs());
  };

  /**
   * Resolves when few enough events are on their way to the stream, at the delivery's pace, or when the delivery has
   * failed. Never rejects.
   */
  readonly drained = async (): Promise<void> => {
    while (this.failure === undefined && this.isLoaded()) {
      this.send();
      await this.sending;
    }
    const waitMs = this.pace.waitMs(performance.now());
    if (waitMs > 0) await pause(waitMs);
  };

  private isLoaded(): boolean {
    return this.unsentEvents > UNSENT_EVENTS_MAX || this.unsentBytes > UNSENT_BYTES_MAX;
  }

  private untilFlushMs(): number {
    const waitMs = this.hasSent ? 0 : FIRST_AFTER_MS;
    return waitMs + FLUSH_EVERY_MS - ((Date.now() + waitMs) % FLUSH_EVERY_MS);
  }

  /** Resolves when the stream has every event added so far; fails when the bus did not take them. */
  async flush(): Promise<void> {
    this.send();
    await this.settled();
  }

  /**
   * All events of a delivery that has sent none yet: they are the caller's now. Else none, when the stream has them
   * all, so that what a reader of the run sees keeps their order. Fails as `flush` does.
   */
  async takeRest(): Promise<ReadyEvents> {
    if (!this.hasSent) return await this.ready(this.takePending());
    await this.flush();
    return { events: [], bytes: 0 };
  }

  private async settled(): Promise<void> {
    await this.sending;
    if (this.failure !== undefined) throw this.failure;
  }

  private takePending(): PendingEvent[] {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { pending } = this;
    this.pending = [];
    this.pendingBytes = 0;
    return pending;
  }

  private send(): void {
    const batch = this.takePending();
    if (batch.length === 0) return;
    this.hasSent = true;
    this.sending = this.sending
      .then(() => this.emit(batch))
      .catch((error) => {
        this.failure ??= error;
      })
      .then(() => {
        this.unsentEvents -= batch.length;
        this.unsentBytes -= batch.reduce((sum, { payloadText }) => sum + payloadText.length, 0);
      });
  }

  private async emit(batch: PendingEvent[]): Promise<void> {
    // After a gap nothing may follow: the record would seem complete.
    if (this.failure !== undefined) return;
    const emission = { ...this.delivery, ...(await this.ready(batch)) };
    await retryWhileUnavailable(() => this.ports.reports.emit(emission), {
      timeoutMs: PUBLISH_TIMEOUT_MS,
      intervalMs: 500,
      isRetryable: () => true,
    });
  }

  private async ready(batch: readonly PendingEvent[]): Promise<ReadyEvents> {
    const bytes = batch.reduce(
      (sum, { payloadText }) => sum + ENVELOPE_BYTES + Math.min(payloadText.length, PAYLOAD_BYTES_MAX),
      0,
    );
    return { events: await Promise.all(batch.map((pending) => this.slim(pending))), bytes };
  }

  private async slim({ event, payloadText }: PendingEvent): Promise<HistoryEvent> {
    if (Buffer.byteLength(payloadText) <= PAYLOAD_BYTES_MAX) return event;
    const { sha256, bytes } = await this.ports.blobs.evidence.put(payloadText);
    return { ...event, payload: { ...payloadReference(sha256, bytes, event.event_type) } };
  }
}

/** So many events in a row are not paced; a model's agent does not record as many in a minute. */
export const EVENTS_BURST = 2_000;
export const EVENTS_PER_SECOND = 1_000;

/**
 * The pace of one delivery's events (token bucket): agents without a model could record them faster than all runs
 * together are stored, and the events of other runs would queue behind them. Times are monotonic milliseconds.
 */
export class EventPace {
  private tokens = EVENTS_BURST;

  constructor(private refilledAt: number) {}

  /** Counts an event, which is never refused. */
  take(now: number): void {
    this.refill(now);
    this.tokens -= 1;
  }

  /** How long to wait before the work that records the next event; 0 within the pace. */
  waitMs(now: number): number {
    this.refill(now);
    return Math.max(0, (-this.tokens * 1_000) / EVENTS_PER_SECOND);
  }

  private refill(now: number): void {
    const gained = ((now - this.refilledAt) * EVENTS_PER_SECOND) / 1_000;
    this.tokens = Math.min(EVENTS_BURST, this.tokens + gained);
    this.refilledAt = now;
  }
}
