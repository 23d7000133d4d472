import type { EvaluationSpec } from '@agentclash/challengepack';
import type { RecordedEnd } from '../evidence/types.js';
import type { Scorecard } from '../scorecard/types.js';
import { isAtLeast } from '../tolerance.js';
import type { EvidenceTier, FailedAttempt, JudgedKey } from './types.js';

/** The end of an attempt and the level of its evidence. */
interface AttemptView {
  readonly attempt: RecordedEnd;
  readonly evidence_tier: EvidenceTier;
  /** True when the case both passed and failed in this run. */
  readonly flaked: boolean;
}

/** A scored attempt as its failure class is decided from. */
export function failedAttempt(spec: EvaluationSpec, scorecard: Scorecard, view: AttemptView): FailedAttempt {
  const judges = scorecard.judges.map(({ key, mode, score }): JudgedKey => {
    const bars = spec.scorecard.dimensions.flatMap((dimension) =>
      dimension.judge_key === key ? (dimension.pass_threshold ?? []) : [],
    );
    const isBelow = (bar: number) => score !== null && !isAtLeast(score, bar);
    const failing = mode === 'assertion' ? score === 0 : bars.some(isBelow);
    return { key, failing, scored: score !== null };
  });
  const isIncident = scorecard.reason === 'security_incident';
  return {
    ...view,
    validators: scorecard.validators,
    judges,
    ...(isIncident && { has_security_incident: true }),
  };
}
