/** A fact of the run itself, or of an attempt as the orchestrator sees it; it is numbered when it is written. */
import type { EventSource } from '@agentclash/domain';

export interface RunFactDraft {
  type:
    | 'run.requested'
    | 'run.state_changed'
    | 'run.attempt_scored'
    | 'run.completed'
    | 'attempt.state_changed';
  payload: Record<string, unknown>;
  /** The attempt that it is about. */
  attempt?: { run_agent_id: string; attempt_id: string; case_key: string; repetition: number };
}

/** The source of scoring events in an attempt's history: they are no evidence. */
export const SCORING = 'worker_scoring' satisfies EventSource;

/**
 * What a model was sent: made of the task and of what other events hold, so that grading neither needs nor reads it, and
 * evidence is the same with and without it.
 */
export const SENT_MESSAGES = 'model.call.messages';

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
