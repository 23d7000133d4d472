import { REPEATED_EVENTS } from '@agentclash/domain';
import { literally } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import { Prisma } from '../../generated/client.js';

interface HistoryPart {
  runId: string;
  /** Positions: events after the first and up to the second. */
  after: number;
  upTo: number;
  runAgentId: string | undefined;
  caseKey: string | undefined;
}

interface Candidate {
  position: number;
  attemptId: string;
  runAgentId: string;
  agentName: string;
  caseKey: string;
  repetition: number;
  delivery: number;
  sequenceNumber: number;
  eventType: string;
  occurredAt: Date;
  payload: Record<string, unknown>;
}

@Injectable()
export class TranscriptSearchStore {
  constructor(private readonly db: Database) {}

  /** Events of the last deliveries of attempts that may have the text: in their payload, or in one that is stored as a blob. */
  async candidates(
    { runId, after, upTo, runAgentId, caseKey }: HistoryPart,
    text: string,
    take: number,
  ): Promise<Candidate[]> {
    return await this.db.$queryRaw<Candidate[]>`
      SELECT e.position, e.attempt_id AS "attemptId", e.run_agent_id AS "runAgentId", a.name AS "agentName",
             e.case_key AS "caseKey", e.repetition, e.delivery, e.sequence_number AS "sequenceNumber",
             e.event_type AS "eventType", e.occurred_at AS "occurredAt", e.payload
        FROM events e JOIN run_agents a ON a.id = e.run_agent_id
       WHERE e.run_id = ${runId}::uuid AND e.position > ${after} AND e.position <= ${upTo}
             AND e.event_type <> ALL(${REPEATED_EVENTS})
             ${runAgentId === undefined ? Prisma.empty : Prisma.sql`AND e.run_agent_id = ${runAgentId}::uuid`}
             ${caseKey === undefined ? Prisma.empty : Prisma.sql`AND e.case_key = ${caseKey}`}
             AND (e.payload::text ILIKE ${patternOf(text)} OR e.payload::text LIKE '%"$ref":"sha256:%')
             AND e.delivery = (SELECT max(n.delivery) FROM events n WHERE n.attempt_id = e.attempt_id)
       ORDER BY e.position
       LIMIT ${take}`;
  }
}

/** A pattern of ILIKE for JSON with a string that has the text. */
function patternOf(text: string): string {
  const inJson = JSON.stringify(text).slice(1, -1);
  return `%${literally(inJson)}%`;
}
