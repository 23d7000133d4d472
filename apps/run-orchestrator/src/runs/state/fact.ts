import type { HistoryEvent } from '@agentclash/contracts';
import type { EventRow } from './event-draft.js';

/** An event of a run's own history, as it is published on the bus. */
export type PublicFact = HistoryEvent & { workspace_id: string };

/** What a fact is made of. */
type FactRow = Omit<EventRow, 'source' | 'delivery'> & { runId: string };

export function factOf(row: FactRow, workspaceId: string): PublicFact {
  return {
    workspace_id: workspaceId,
    event_id: row.eventId,
    schema_version: '1',
    run_id: row.runId,
    ...(row.runAgentId !== null && { run_agent_id: row.runAgentId }),
    ...(row.attemptId !== null && { attempt_id: row.attemptId }),
    ...(row.caseKey !== null && { case_key: row.caseKey }),
    ...(row.repetition !== null && { repetition: row.repetition }),
    sequence_number: row.sequenceNumber,
    event_type: row.eventType,
    source: 'orchestrator',
    occurred_at: row.occurredAt,
    payload: row.payload as HistoryEvent['payload'],
    summary: row.summary as HistoryEvent['summary'],
  };
}

/** One id for all tellings of one fact, so that the stream keeps the first. */
export function factMessageId({ run_id, sequence_number }: PublicFact): string {
  return `run:${run_id}:${sequence_number}`;
}
