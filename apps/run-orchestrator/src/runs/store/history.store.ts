import type { HistoryEvent, RecordedEvent } from '@agentclash/contracts';
import type { EventSource } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { Event as Row } from '../../generated/client.js';
import { PAIRED_TYPES, type StoredFact } from '../state/closing-events.js';
import type { DeliveryContext } from '../state/event-batch.js';
import { SCORING, SENT_MESSAGES } from '../state/event-draft.js';
import { ofRun } from './attempts.store.js';

/** A row of the history without its position. */
export type EventRecord = Omit<Row, 'position'>;

export interface DeliveryKey {
  attemptId: string;
  delivery: number;
}

/** The events of a delivery, or those of some types, or those that are evidence. */
export interface DeliveryPart extends DeliveryKey {
  eventTypes?: string[] | undefined;
  isEvidence?: true;
}

/** Some events of one delivery; none when only its place is wanted. */
export interface HistoryPart {
  attempt_id: string;
  delivery: number;
  events: readonly Pick<HistoryEvent, 'sequence_number'>[];
}

@Injectable()
export class HistoryStore {
  constructor(private readonly db: Database) {}

  /** Where these parts of histories belong, in their order; nothing where the run has no such attempt and delivery. */
  async deliveryContexts(
    tx: Transaction,
    runId: string,
    parts: readonly HistoryPart[],
  ): Promise<(DeliveryContext | undefined)[]> {
    const rows = await tx.$queryRaw<(DeliveryContext & { part: number })[]>`
      SELECT p.part, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.state,
             a.delivery AS current, a.deliveries_max AS "deliveriesMax", a.executor_id AS "executorId",
             d.last_sequence AS "lastSequence", d.events_stored AS "eventsStored",
             CASE WHEN d.events_stored = 0 THEN '{}'::int[] ELSE
             ARRAY(SELECT sequence_number FROM events e
                    WHERE e.attempt_id = a.id AND e.delivery = d.delivery
                      AND e.sequence_number BETWEEN p.first AND p.last) END AS known
        FROM json_to_recordset(${JSON.stringify(parts.map(asRange))}::json) AS p(
               part int, id uuid, delivery int, first int, last int)
             JOIN attempts a ON a.id = p.id
             JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = p.delivery
       WHERE ${ofRun(runId)}`;
    const byPart = new Map(rows.map((row) => [row.part, row]));
    return parts.map((_, part) => byPart.get(part));
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

  /** Events of one delivery after a number; of these types, where some are named. */
  async ofDelivery(
    { eventTypes, isEvidence, ...key }: DeliveryPart,
    after: number,
    take: number,
  ): Promise<HistoryEvent[]> {
    const rows = await this.db.event.findMany({
      where: {
        ...key,
        sequenceNumber: { gt: after },
        ...(eventTypes && { eventType: { in: eventTypes } }),
        ...(isEvidence && { source: { not: SCORING }, NOT: { eventType: SENT_MESSAGES } }),
      },
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
export function asEvent(row: EventRecord): HistoryEvent {
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

function asRange({ attempt_id: id, delivery, events }: HistoryPart, part: number) {
  const numbers = events.map(({ sequence_number }) => sequence_number);
  return { part, id, delivery, first: Math.min(...numbers, 0), last: Math.max(...numbers, 0) };
}
