import type { HistoryEvent } from '@agentclash/contracts';
import type { EventSource, RunEventType } from '@agentclash/domain';

/** A fact of the run itself, or of an attempt as the orchestrator sees it; it is numbered when it is written. */
export interface RunFactDraft {
  type: RunEventType;
  payload: Record<string, unknown>;
  /** The attempt that it is about. */
  attempt?: { run_agent_id: string; attempt_id: string; case_key: string; repetition: number };
}

/** The source of scoring events in an attempt's history: they are no evidence. */
export const SCORING = 'worker_scoring' satisfies EventSource;

/** A row of the history without its place. */
export interface EventRow {
  eventId: string;
  runAgentId: string | null;
  attemptId: string | null;
  delivery: number | null;
  caseKey: string | null;
  repetition: number | null;
  sequenceNumber: number;
  eventType: string;
  source: EventSource;
  occurredAt: string;
  payload: unknown;
  summary: unknown;
}

/** An event of a run's own history, as it is published on the bus. */
export type PublicFact = HistoryEvent & { workspace_id: string };

/** The members of a fact. */
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
