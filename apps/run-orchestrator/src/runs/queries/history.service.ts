import type { HistoryEvent, RecordedEvent } from '@agentclash/contracts';
import { RECORDING } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { DeliveryKey } from '../store/attempts/delivery-reads.store.js';
import { type DeliveryPart, HistoryStore } from '../store/history.store.js';
import { Payloads } from '../store/payloads.js';

/** Bytes of one page, unless a single event is larger. */
const PAGE_BYTES_MAX = 786_432;
const ROWS_PER_READ = 250;
/** Events are short where there are many. */
const EVIDENCE_ROWS_PER_READ = 2_000;

export interface EventPage<E> {
  items: E[];
  has_more: boolean;
}

/** Pages of recorded events. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly store: HistoryStore,
    private readonly payloads: Payloads,
  ) {}

  /** A run's events after a position, payloads whole. */
  async ofRun(runId: string, after: number, limit: number): Promise<RecordedEvent[]> {
    const { items } = await this.page(limit, (last: RecordedEvent | undefined, take) =>
      this.store.ofRun(runId, last?.position ?? after, take),
    );
    return items;
  }

  /** A delivery's events after a number, payloads whole. */
  async ofDelivery(part: DeliveryPart, after: number, limit: number): Promise<EventPage<HistoryEvent>> {
    return await this.page(limit, (last: HistoryEvent | undefined, take) =>
      this.store.ofDelivery(part, last?.sequence_number ?? after, take),
    );
  }

  /** The last event of a type in a delivery, its payload whole. */
  async findLast(key: DeliveryKey, eventType: string): Promise<HistoryEvent | undefined> {
    const found = await this.store.findLast(key, eventType);
    return found && { ...found, payload: await this.payloads.read(found.payload) };
  }

  /** A delivery's events after a number that are evidence, as many as one reply carries; large payloads as references. */
  async evidence(key: DeliveryKey, after: number): Promise<EventPage<HistoryEvent>> {
    return await this.carriedPage({ ...key, isEvidence: true }, after);
  }

  /** A delivery's recorded model calls after a number, likewise. */
  async recording(key: DeliveryKey, after: number): Promise<EventPage<HistoryEvent>> {
    return await this.carriedPage({ ...key, eventTypes: RECORDING }, after);
  }

  private async carriedPage(part: DeliveryPart, after: number): Promise<EventPage<HistoryEvent>> {
    const items: HistoryEvent[] = [];
    let bytes = 0;
    for (;;) {
      const last = items.at(-1)?.sequence_number ?? after;
      const rows = await this.store.ofDelivery(part, last, EVIDENCE_ROWS_PER_READ);
      for (const row of rows) {
        const event = await this.carried(row);
        bytes += eventBytes(event);
        if (bytes > REPLY_BYTES_MAX && items.length > 0) return { items, has_more: true };
        items.push(event);
      }
      if (rows.length < EVIDENCE_ROWS_PER_READ) return { items, has_more: false };
    }
  }

  /** A payload that no reply could carry stays behind as a reference. */
  private async carried(event: HistoryEvent): Promise<HistoryEvent> {
    if (eventBytes(event) <= REPLY_BYTES_MAX) return event;
    return { ...event, payload: await this.payloads.put(event.payload, event.event_type) };
  }

  /** Up to `limit` events, fewer when they are large; at least one when there is one. */
  private async page<E extends HistoryEvent>(
    limit: number,
    read: (last: E | undefined, take: number) => Promise<E[]>,
  ): Promise<EventPage<E>> {
    const items: E[] = [];
    let bytes = 0;
    for (;;) {
      // One more than requested shows whether there are more.
      const take = Math.min(limit + 1 - items.length, ROWS_PER_READ);
      const rows = await read(items.at(-1), take);
      for (const row of rows) {
        if (items.length === limit) return { items, has_more: true };
        const event = { ...row, payload: await this.payloads.read(row.payload) };
        bytes += Buffer.byteLength(JSON.stringify(event));
        if (bytes > PAGE_BYTES_MAX && items.length > 0) return { items, has_more: true };
        items.push(event);
      }
      if (rows.length < take) return { items, has_more: false };
    }
  }
}

/** Rows that are read at once, unless one attempt has more. */
const EVENTS_MAX = 500;
/**
 * Bytes of the events in one reply, unless a single event has more; the bus carries 8 MiB, a NATS of default settings
 * 1 MiB.
 */
export const REPLY_BYTES_MAX = 786_432;

/** How many of the attempts, at least one, are read together. */
export function readTogether(attempts: readonly { eventCount: number }[]): number {
  return fitting(
    attempts.map(({ eventCount }) => eventCount),
    EVENTS_MAX,
  );
}

/** How many of the histories, at least one, go into one reply. */
export function sentTogether(histories: readonly (readonly object[])[]): number {
  const sizes = histories.map((events) => events.reduce((sum: number, event) => sum + eventBytes(event), 0));
  return fitting(sizes, REPLY_BYTES_MAX);
}

/** Of an event as it travels: short payloads are a small part of it. */
function eventBytes(event: object): number {
  return Buffer.byteLength(JSON.stringify(event));
}

function fitting(sizes: readonly number[], max: number): number {
  let sum = 0;
  const count = sizes.findIndex((size, index) => {
    sum += size;
    return index > 0 && sum > max;
  });
  return count < 0 ? sizes.length : count;
}
