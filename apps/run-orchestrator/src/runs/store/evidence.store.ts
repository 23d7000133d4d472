import type { AttemptResult, HistoryEvent } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import { SCORING, SENT_MESSAGES } from '../state/event-draft.js';
import { asEvent, type EventRecord } from './history.store.js';

/** An attempt with what its run contributes to grading. */
export interface AttemptToGrade {
  id: string;
  runId: string;
  runAgentId: string;
  caseKey: string;
  repetition: number;
  delivery: number;
  /** Null while it is not finished. */
  result: AttemptResult | null;
  versionId: string;
  evaluationSpecId: string;
  inputSetKey: string;
  /** Stored events of its last delivery. */
  eventCount: number;
}

/** What scoring reads. */
@Injectable()
export class EvidenceStore {
  constructor(private readonly db: Database) {}

  /** Those of the attempts that are the workspace's, by id. */
  async attempts(workspaceId: string, ids: readonly string[]): Promise<Map<string, AttemptToGrade>> {
    const rows = await this.db.$queryRaw<AttemptToGrade[]>`
      SELECT a.id, a.run_id AS "runId", a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition,
             a.delivery, a.result, r.version_id AS "versionId", r.evaluation_spec_id AS "evaluationSpecId",
             r.input_set_key AS "inputSetKey", COALESCE(d.events_stored, 0) AS "eventCount"
        FROM attempts a
        JOIN runs r ON r.id = a.run_id
        LEFT JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = a.delivery
       WHERE a.id = ANY(${ids}::uuid[]) AND r.workspace_id = ${workspaceId}::uuid`;
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** All events of the attempts' last deliveries that are evidence, in order, by attempt. */
  async events(attempts: readonly AttemptToGrade[]): Promise<Map<string, HistoryEvent[]>> {
    const keys = attempts.map(({ id, delivery }) => ({ id, delivery }));
    const rows = await this.db.$queryRaw<EventRecord[]>`
      SELECT e.event_id AS "eventId", e.run_id AS "runId", e.run_agent_id AS "runAgentId",
             e.attempt_id AS "attemptId", e.delivery, e.case_key AS "caseKey", e.repetition,
             e.sequence_number AS "sequenceNumber", e.event_type AS "eventType", e.source,
             e.occurred_at AS "occurredAt", e.payload, e.summary
        FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k(id uuid, delivery int)
        JOIN events e ON e.attempt_id = k.id AND e.delivery = k.delivery AND e.source <> ${SCORING}
                     AND e.event_type <> ${SENT_MESSAGES}
       ORDER BY e.attempt_id, e.sequence_number`;
    const byAttempt = new Map<string, HistoryEvent[]>(attempts.map(({ id }) => [id, []]));
    for (const row of rows) byAttempt.get(row.attemptId ?? '')?.push(asEvent(row));
    return byAttempt;
  }
}
