import type { CaseEvidence } from '@agentclash/challengepack';
import type { Outcome } from '@agentclash/domain';

export interface RecordedEnd {
  readonly outcome: Outcome;
  /** Which limit, with `limit_reached`: time, iterations, tool_calls, tokens, cost, context, output, memory, events. */
  readonly limit_kind?: string | null;
  /** The code of the error that ended it, when one did. */
  readonly error_code?: string | null;
}

/** One event of the attempt's last delivery, payload whole (no `$ref`). */
export interface EvidenceEvent {
  readonly sequence_number: number;
  readonly event_type: string;
  /** ISO 8601, UTC. */
  readonly occurred_at: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Votes {
  readonly wins: number;
  readonly votes: number;
}

/** All that a grader may look at for one attempt; events in sequence order. */
export interface AttemptEvidence {
  readonly attempt: RecordedEnd;
  readonly events: readonly EvidenceEvent[];
  readonly case: CaseEvidence;
  readonly votes?: Votes;
}
