import { type AttemptScored, RECORDED_METRICS_MAX } from '@agentclash/contracts';
import { type AttemptEvidence, type ScoringHashes, scoringHashes } from '@agentclash/grading';
import type { Contract } from '../contract.js';
import type { Grader } from './grader.js';
import type { Graded, GradingBug, GradingInput } from './grading-worker.js';

/** A scorecard, or the reason for its absence. */
type Judgement =
  | Pick<Graded, 'scorecard' | 'figures' | 'metrics'>
  | { failure: { code: string; message: string } };

/** The published part of a scorecard. */
type PublishedScore = Pick<
  AttemptScored,
  'overall' | 'passed' | 'validity' | 'lacks_evidence' | 'pack_error' | 'failure' | 'metrics'
>;

interface GradedSubject {
  contract: Pick<Contract, 'spec'>;
  evidence: AttemptEvidence;
  input: GradingInput;
}

interface GradingReports {
  /** An exception in a validator, which is a bug. */
  onBug: (bug: GradingBug['bug'], validatorKey: string) => void;
  /** An error of scoring itself. */
  onFailure: (error: unknown) => void;
}

/** An error of scoring itself is internal: stored and shown as a failure, never as a zero. */
export async function gradedResult(
  grader: Pick<Grader, 'grade'>,
  { contract: { spec }, evidence, input }: GradedSubject,
  { onBug, onFailure }: GradingReports,
): Promise<{ result: Judgement; hashes: ScoringHashes }> {
  try {
    const { hashes, ...result } = await grader.grade({ spec, evidence, input, onBug });
    return { result, hashes };
  } catch (error) {
    onFailure(error);
    const failure = { code: 'internal', message: 'Scoring this attempt failed on our side.' };
    return { result: { failure }, hashes: scoringHashes(spec, evidence, input) };
  }
}

/** The published score. An attempt that could not be graded has no score, only a reason. */
export function publishedScore(result: Judgement): PublishedScore {
  const nothing = { overall: null, passed: null, validity: 'invalid' };
  if ('failure' in result) return { ...nothing, failure: result.failure };
  const { pack_error, ...figures } = result.figures;
  const score = figures.validity === 'invalid' ? nothing : figures;
  const metrics = result.metrics.slice(0, RECORDED_METRICS_MAX);
  return { ...score, ...(pack_error !== null && { pack_error }), failure: null, metrics };
}
