import type { Bus } from '@agentclash/bus';
import { executionEvents, executionLive, HistoryEvent, LiveEvent } from '@agentclash/contracts';
import type { Blobs } from '@agentclash/service-kit';

/** Larger payloads travel and rest as a reference to the blob store. */
const PAYLOAD_BYTES_MAX = 32_768;
const BATCH_EVENTS_MAX = 64;
const BATCH_BYTES_MAX = 262_144;
const FLUSH_AFTER_MS = 100;
/** Goes out with the next flush only: it is not to be heard before the wait that it tells of is on record. */
const HELD_BACK = 'turn.awaiting_human';
/** How long a bus that does not take events is tried again before the delivery is given up. */
const PATIENCE_MS = 30_000;

export interface Delivery {
  workspace_id: string;
  run_id: string;
  attempt_id: string;
  delivery: number;
}

/**
 * Carries one delivery's events to the bus: in order, in batches, large payloads by reference. A batch's message id is
 * made of its place in the history, so that one that is sent twice is stored once.
 */
export class EventOutbox {
  private waiting: HistoryEvent[] = [];
  private waitingBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> = Promise.resolve();
  private failure: unknown;

  constructor(
    private readonly delivery: Delivery,
    private readonly ports: { bus: Bus; blobs: Blobs },
  ) {}

  /** Takes the next event of the history. What is live only, which has no number, is said at once and not kept. */
  readonly add = (
    event: Omit<HistoryEvent, 'sequence_number' | 'payload' | 'summary'> & {
      sequence_number?: number;
      payload: object;
      summary: object;
    },
  ): void => {
    if (event.sequence_number === undefined) {
      this.ports.bus.say(executionLive.output, LiveEvent.parse(event));
      return;
    }
    const isHeldBack = event.event_type === HELD_BACK;
    if (isHeldBack) this.send();
    this.waiting.push(HistoryEvent.parse(event));
    if (isHeldBack) return;
    this.waitingBytes += JSON.stringify(event.payload).length;
    if (this.waiting.length >= BATCH_EVENTS_MAX || this.waitingBytes >= BATCH_BYTES_MAX) this.send();
    else this.timer ??= setTimeout(() => this.send(), FLUSH_AFTER_MS);
  };

  /** Resolves when the stream has every event added so far; fails when the bus did not take them. */
  async flush(): Promise<void> {
    this.send();
    await this.sending;
    if (this.failure !== undefined) throw this.failure;
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.waiting;
    if (batch.length === 0) return;
    this.waiting = [];
    this.waitingBytes = 0;
    this.sending = this.sending
      .then(() => this.publish(batch))
      .catch((error) => {
        this.failure ??= error;
      });
  }

  private async publish(batch: HistoryEvent[]): Promise<void> {
    // After a gap nothing may follow: the record would look whole.
    if (this.failure !== undefined) return;
    const events = await Promise.all(
      batch.map(async (event) => ({ ...event, payload: await this.slim(event) })),
    );
    const [first] = events;
    if (first === undefined) return;
    const { attempt_id, delivery } = this.delivery;
    const id = `${attempt_id}:${delivery}:${first.sequence_number}`;
    const giveUpAt = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        await this.ports.bus.publish(executionEvents.emitted, { ...this.delivery, events }, id);
        return;
      } catch (error) {
        if (Date.now() > giveUpAt) throw error;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  private async slim({ payload, event_type }: HistoryEvent): Promise<HistoryEvent['payload']> {
    const text = JSON.stringify(payload);
    if (Buffer.byteLength(text) <= PAYLOAD_BYTES_MAX) return payload;
    const { sha256, bytes } = await this.ports.blobs.evidence.put(text);
    return { $ref: `sha256:${sha256}`, bytes, type: event_type };
  }
}
