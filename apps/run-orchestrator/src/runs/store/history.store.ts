import type { HistoryEvent, RecordedEvent } from '@agentclash/contracts';
import type { EventSource } from '@agentclash/domain';
import { NO_EVIDENCE } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { Event as Row } from '../../generated/client.js';
import { PAIRED_TYPES, type StoredFact } from '../state/closing-events.js';
import { SCORING } from '../state/event-draft.js';
import type { DeliveryKey } from './attempts/delivery-reads.store.js';

/** A row of the history without its position. */
type EventRecord = Omit<Row, 'position'>;

/** The events of a delivery, or those of some types, or those that are evidence. */
export interface DeliveryPart extends DeliveryKey {
  eventTypes?: string[] | undefined;
  isEvidence?: true;
}

@Injectable()
export class HistoryStore {
  constructor(private readonly db: Database) {}

  /** The events that open and close the starts of a delivery, in order, and the number of its last event. */
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
        ...(isEvidence && { source: { not: SCORING }, NOT: { eventType: { in: NO_EVIDENCE } } }),
      },
      orderBy: { sequenceNumber: 'asc' },
      take,
    });
    return rows.map(asEvent);
  }

  /** All events of these deliveries that are evidence, in order, by attempt. */
  async evidenceOf(
    attempts: readonly { id: string; delivery: number }[],
  ): Promise<Map<string, HistoryEvent[]>> {
    const keys = attempts.map(({ id, delivery }) => ({ id, delivery }));
    const rows = await this.db.$queryRaw<EventRecord[]>`
      SELECT e.event_id AS "eventId", e.run_id AS "runId", e.run_agent_id AS "runAgentId",
             e.attempt_id AS "attemptId", e.delivery, e.case_key AS "caseKey", e.repetition,
             e.sequence_number AS "sequenceNumber", e.event_type AS "eventType", e.source,
             e.occurred_at AS "occurredAt", e.payload, e.summary
        FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k(id uuid, delivery int)
        JOIN events e ON e.attempt_id = k.id AND e.delivery = k.delivery AND e.source <> ${SCORING}
                     AND e.event_type <> ALL(${NO_EVIDENCE})
       ORDER BY e.attempt_id, e.sequence_number`;
    const byAttempt = new Map<string, HistoryEvent[]>(attempts.map(({ id }) => [id, []]));
    for (const row of rows) byAttempt.get(row.attemptId ?? '')?.push(asEvent(row));
    return byAttempt;
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
function asEvent(row: EventRecord): HistoryEvent {
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
