import type { Judge, JudgeLimits } from '@agentclash/challengepack';
import { isGraded } from '@agentclash/domain';
import type { AttemptEvidence } from '../evidence/types.js';
import { judgeInput } from './input.js';

/** Samples requested of each model: the judge's own number, capped by the limit unless that is 0. */
export function plannedSamples(
  { samples }: Pick<Judge, 'samples'>,
  { max_samples_per_judge }: Pick<JudgeLimits, 'max_samples_per_judge'>,
): number {
  return max_samples_per_judge === 0 ? samples : Math.min(samples, max_samples_per_judge);
}

export interface NWiseAgent {
  readonly id: string;
  readonly evidence: AttemptEvidence;
}

/** The participants of a ranking. */
export interface NWiseField {
  /** Graded agents: the N of the shares. Below two there is nothing to rank. */
  readonly size: number;
  /** Those with something to show; the others take 0. */
  readonly shown: readonly string[];
}

/** The agents that an n_wise judge ranks on one case and repetition. */
export function nWiseField(
  judge: Pick<Judge, 'context_from' | 'reference_from'>,
  agents: readonly NWiseAgent[],
): NWiseField {
  const graded = agents.filter(({ evidence }) => isGraded(evidence.attempt.outcome));
  return {
    size: graded.length,
    shown: graded.filter(({ evidence }) => judgeInput(judge, evidence).state === 'ready').map(({ id }) => id),
  };
}
