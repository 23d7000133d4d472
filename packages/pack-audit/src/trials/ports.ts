import type { EvaluationSpec } from '@agentclash/challengepack';
import type { Egress } from '@agentclash/egress';
import type { ArgumentChecks, PatternSearches, QueryLimiter, SandboxImages } from '@agentclash/engine';
import type { AttemptEvidence, Scorecard, SecurityInput } from '@agentclash/grading';
import type { SandboxProvider } from '@agentclash/sandbox';
import type { Planning } from '../planning/tasks.js';

/** Everything outside of the audit that its trials use. */
export interface TrialPorts {
  sandboxes: SandboxProvider;
  images: SandboxImages;
  /** Nothing may leave: the trials have no network. */
  egress: Egress;
  /** Plans trials where what authors wrote does no harm. */
  planning: Planning;
  argumentChecks: ArgumentChecks;
  patternSearches: PatternSearches;
  queryLimiter: QueryLimiter;
  starvationMax?: number;
  /** Waits until one more trial may run; returns a function that ends its turn. Default: no wait. */
  takeTrial?: (signal: AbortSignal) => Promise<() => void>;
  /** Scores where what authors and agents wrote does no harm. */
  score: (
    spec: EvaluationSpec,
    evidence: AttemptEvidence,
    security: SecurityInput | undefined,
  ) => Promise<Scorecard>;
  /** Waits until a test may use so many CPUs; returns a function that releases them. */
  takeCpu: (cpu: number, signal: AbortSignal) => Promise<() => void>;
  onError?: (error: unknown) => void;
  signal: AbortSignal;
}
