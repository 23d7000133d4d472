import type { Strategy } from '@agentclash/challengepack';
import { sum } from '../statistics/sample.js';
import { isAtLeast } from '../tolerance.js';
import type { Verdict } from './types.js';

/** A dimension as a strategy sees it; a score of null is unavailable. */
export interface WeighedDimension {
  readonly score: number | null;
  readonly weight: number;
  readonly gate: boolean;
  readonly pass_threshold: number | null;
}

interface StrategyInput {
  readonly dimensions: readonly WeighedDimension[];
  /** The scorecard's own bar. */
  readonly pass_threshold: number | undefined;
}

/** The verdict, and each dimension's part of `overall` (null where it does not enter the mean). */
interface StrategyResult extends Verdict {
  readonly contributions: readonly (number | null)[];
}

/** True when a dimension reaches its own threshold; null when it is unavailable. */
export function holds({ score, pass_threshold }: WeighedDimension): boolean | null {
  return score === null ? null : isAtLeast(score, pass_threshold ?? 0);
}

function againstThreshold(overall: number, threshold: number): Pick<Verdict, 'passed' | 'reason'> {
  const passed = isAtLeast(overall, threshold);
  return { passed, reason: passed ? 'threshold_met' : 'below_threshold' };
}

/** The mean over the available dimensions among `entering`; plain when all their weights are 0. */
function weightedMean(
  dimensions: readonly WeighedDimension[],
  entering: (dimension: WeighedDimension) => boolean,
): Pick<StrategyResult, 'overall' | 'contributions'> {
  const counted = dimensions.map((dimension) => (entering(dimension) ? dimension.score : null));
  const weightSum = sum(dimensions.map(({ weight }, index) => (counted[index] === null ? 0 : weight)));
  const isPlain = weightSum === 0;
  const total = isPlain ? counted.filter((score) => score !== null).length : weightSum;
  const parts = dimensions.map(({ weight }, index) => {
    const score = counted[index] ?? null;
    return score === null ? null : score * (isPlain ? 1 : weight);
  });
  return {
    overall: total === 0 ? null : sum(parts.map((part) => part ?? 0)) / total,
    contributions: parts.map((part) => (part === null ? null : part / total)),
  };
}

/** All or nothing: every dimension must reach its own threshold. */
function binary({ dimensions }: StrategyInput): StrategyResult {
  return { ...allOrNothingVerdict(dimensions.map(holds)), contributions: dimensions.map(() => null) };
}

function allOrNothingVerdict(held: readonly (boolean | null)[]): Verdict {
  const isSomeMissing = held.includes(null);
  if (held.includes(false)) {
    const reason = isSomeMissing ? 'dimension_unavailable' : 'dimension_below_threshold';
    return { overall: 0, passed: false, reason };
  }
  if (isSomeMissing) return { overall: null, passed: false, reason: 'dimension_unavailable' };
  return { overall: 1, passed: true, reason: 'all_dimensions_pass' };
}

/** The mean of everything available; gates and a threshold, where there are any, decide the verdict. */
function weighted({ dimensions, pass_threshold }: StrategyInput): StrategyResult {
  const mean = weightedMean(dimensions, () => true);
  const gates = dimensions.filter(({ gate }) => gate).map(holds);
  return { ...mean, ...weightedVerdict(gates, mean.overall, pass_threshold) };
}

function weightedVerdict(
  gates: readonly (boolean | null)[],
  overall: number | null,
  threshold: number | undefined,
): Pick<Verdict, 'passed' | 'reason'> {
  if (gates.includes(null)) return { passed: false, reason: 'gate_unavailable' };
  if (gates.includes(false)) return { passed: false, reason: 'gate_failed' };
  if (overall === null) return { passed: null, reason: 'no_evidence' };
  if (threshold !== undefined) return againstThreshold(overall, threshold);
  return gates.length > 0 ? { passed: true, reason: 'gates_hold' } : { passed: null, reason: 'no_pass_bar' };
}

/**
 * Gates first, and they do not weigh; then the mean of the other dimensions. Where all dimensions are gates, these are
 * all the evidence there is, and their mean counts.
 */
export function hybrid({ dimensions, pass_threshold }: StrategyInput): StrategyResult {
  const gates = dimensions.filter(({ gate }) => gate).map(holds);
  const isSomeMissing = gates.includes(null);
  const contributions = dimensions.map(() => null);
  if (gates.includes(false)) {
    const reason = isSomeMissing ? 'gate_unavailable' : 'gate_failed';
    return { overall: 0, passed: false, reason, contributions };
  }
  if (isSomeMissing) return { overall: null, passed: false, reason: 'gate_unavailable', contributions };
  const hasOthers = dimensions.some(({ gate }) => !gate);
  const mean = weightedMean(dimensions, ({ gate }) => !hasOthers || !gate);
  if (pass_threshold === undefined) return { ...mean, passed: true, reason: 'gates_hold' };
  if (mean.overall === null) return { ...mean, passed: false, reason: 'no_evidence' };
  return { ...mean, ...againstThreshold(mean.overall, pass_threshold) };
}

export const STRATEGY_RULES: { readonly [S in Strategy]: (input: StrategyInput) => StrategyResult } = {
  weighted,
  binary,
  hybrid,
};
