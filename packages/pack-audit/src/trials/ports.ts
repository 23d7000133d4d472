import type { EvaluationSpec } from '@agentclash/challengepack';
import type { AttemptEvidence, Scorecard, SecurityInput } from '@agentclash/grading';
import type { LocalPorts } from '@agentclash/local-attempts';
import type { Planning } from '../planning/tasks.js';

/** Everything outside of the audit that its trials use. They have no network: nothing leaves by `egress`. */
export interface TrialPorts extends LocalPorts {
  /** Plans trials where what authors wrote does no harm. */
  planning: Planning;
  /** Waits until one more trial may run; returns a function that ends its turn. Default: no wait. */
  takeTrial?: (signal: AbortSignal) => Promise<() => void>;
  /** Scores where what authors and agents wrote does no harm. */
  score: (
    spec: EvaluationSpec,
    evidence: AttemptEvidence,
    security: SecurityInput | undefined,
  ) => Promise<Scorecard>;
}
