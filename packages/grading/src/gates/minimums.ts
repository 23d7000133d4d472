import type { RunAgentScorecard } from '../aggregate/types.js';
import type { ScoreEstimate } from '../statistics/sample.js';
import { isAtLeast } from '../tolerance.js';
import { resultOf, SIDE_GAPS } from './evaluate.js';
import { type GateSubject, sideOf } from './evidence.js';
import { type GateFinding, insufficient } from './findings.js';
import { fillPolicy } from './policy.js';
import type { GateResult } from './types.js';

/** The least mean score, within 0..1, by measure: `overall`, `pass_rate`, or a dimension. */
export type Minimums = Readonly<Record<string, number>>;

export interface MinimumsResult extends Omit<GateResult, 'detectable'> {
  /** The scores, in the order of the minimums; `mean` is null for a measure without a score. */
  readonly measures: Readonly<Record<string, MeasuredMinimum>>;
}

interface MeasuredMinimum {
  readonly min: number;
  readonly mean: number | null;
  readonly interval: readonly [number, number] | null;
}

/**
 * Decides a release by the scores of the candidate alone, by their means. Evidence that cannot carry a decision ends it
 * before any minimum is looked at: as for a gate with a baseline, but for the share of missing attempts, which the
 * evaluation spec of the candidate bounds.
 */
export function evaluateMinimums(
  minimums: Minimums,
  subject: GateSubject,
  isStopped: boolean,
): MinimumsResult {
  const { scorecard } = subject;
  const measures = Object.fromEntries(
    Object.entries(minimums).map(([key, min]) => {
      const { mean = null, interval = null } = estimateOf(scorecard, key) ?? {};
      return [key, { min, mean, interval }];
    }),
  );
  const policy = fillPolicy({ max_missing_share: scorecard?.max_missing_share ?? 0 });
  const side = sideOf(subject, isStopped);
  const gaps = SIDE_GAPS.flatMap(([code, applies]) =>
    applies(side, policy) ? [insufficient(`candidate_${code}`)] : [],
  );
  if (isStopped) gaps.unshift(insufficient('stopped_early'));
  const findings = gaps.length > 0 ? gaps : Object.entries(measures).flatMap(findingOf);
  const { detectable: _none, ...result } = resultOf(findings, {}, 'minimums_met');
  return { ...result, measures };
}

function findingOf([key, { min, mean }]: [key: string, measured: MeasuredMinimum]): GateFinding[] {
  if (mean === null) return [insufficient(`measure_unknown:${key}`)];
  return isAtLeast(mean, min) ? [] : [{ kind: 'fail', reason: `below_minimum:${key}` }];
}

function estimateOf(scorecard: RunAgentScorecard | null, key: string): ScoreEstimate | undefined {
  if (scorecard === null) return undefined;
  if (key === 'overall' || key === 'pass_rate') return scorecard[key];
  return Object.hasOwn(scorecard.dimensions, key) ? scorecard.dimensions[key] : undefined;
}
