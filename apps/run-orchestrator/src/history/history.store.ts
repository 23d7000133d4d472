import type {
  AttemptState,
  EventSource,
  executionEvents,
  HistoryEvent,
  In,
  RecordedEvent,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database.js';
import type { Event as Row } from '../generated/client.js';
import type { DeliveryPlace } from './batch.js';
import { PAIRED_TYPES, type StoredFact } from './closing-events.js';

type Batch = In<typeof executionEvents.emitted>;

export interface DeliveryKey {
  attemptId: string;
  delivery: number;
}

@Injectable()
export class HistoryStore {
  constructor(private readonly db: Database) {}

  /** Where a batch belongs; nothing when the run has no such attempt and delivery. */
  async place(tx: Transaction, { run_id, attempt_id, delivery, events }: Batch) {
    const numbers = events.map((event) => event.sequence_number);
    const [row] = await tx.$queryRaw<
      (DeliveryPlace & { state: AttemptState; current: number; eventsStored: number })[]
    >`
      SELECT a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.state, a.delivery AS current,
             d.last_sequence AS "lastSequence", d.events_stored AS "eventsStored",
             ARRAY(SELECT sequence_number FROM events e
                    WHERE e.attempt_id = a.id AND e.delivery = d.delivery
                      AND e.sequence_number = ANY(${numbers}::int[])) AS known
        FROM attempts a JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = ${delivery}
       WHERE a.id = ${attempt_id}::uuid AND a.run_id = ${run_id}::uuid`;
    return row;
  }

  /** What decides which starts of a delivery are open, in order, and the number of its last event. */
  async openings(tx: Transaction, attemptId: string, delivery: number) {
    const where = { attemptId, delivery };
    const facts = await tx.event.findMany({
      where: { ...where, eventType: { in: [...PAIRED_TYPES] } },
      orderBy: { sequenceNumber: 'asc' },
      select: { sequenceNumber: true, eventType: true, occurredAt: true, payload: true },
    });
    const { _max } = await tx.event.aggregate({ where, _max: { sequenceNumber: true } });
    return { facts: facts as StoredFact[], lastSequence: _max.sequenceNumber ?? 0 };
  }

  /** Events of a run after a position. */
  async ofRun(runId: string, after: number, take: number): Promise<RecordedEvent[]> {
    const rows = await this.db.event.findMany({
      where: { runId, position: { gt: after } },
      orderBy: { position: 'asc' },
      take,
    });
    return rows.map((row) => ({ ...asEvent(row), position: row.position }));
  }

  /** Events of one delivery after a number. */
  async ofDelivery(key: DeliveryKey, after: number, take: number): Promise<HistoryEvent[]> {
    const rows = await this.db.event.findMany({
      where: { ...key, sequenceNumber: { gt: after } },
      orderBy: { sequenceNumber: 'asc' },
      take,
    });
    return rows.map(asEvent);
  }

  /** The last event of a type in a delivery. */
  async findLast(key: DeliveryKey, eventType: string): Promise<HistoryEvent | undefined> {
    const row = await this.db.event.findFirst({
      where: { ...key, eventType },
      orderBy: { sequenceNumber: 'desc' },
    });
    return row === null ? undefined : asEvent(row);
  }
}

/** A row of the history as readers see it. */
export function asEvent(row: Row): HistoryEvent {
  return {
    event_id: row.eventId,
    schema_version: '1',
    run_id: row.runId,
    ...(row.runAgentId !== null && { run_agent_id: row.runAgentId }),
    ...(row.attemptId !== null && { attempt_id: row.attemptId }),
    ...(row.delivery !== null && { delivery: row.delivery }),
    ...(row.caseKey !== null && { case_key: row.caseKey }),
    ...(row.repetition !== null && { repetition: row.repetition }),
    sequence_number: row.sequenceNumber,
    event_type: row.eventType,
    source: row.source as EventSource,
    occurred_at: row.occurredAt.toISOString(),
    payload: row.payload as HistoryEvent['payload'],
    summary: row.summary as HistoryEvent['summary'],
  };
}
