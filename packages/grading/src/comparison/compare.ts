import type { SideMissing } from '@agentclash/domain';
import type { RunAgentScorecard } from '../aggregate/types.js';
import {
  adjustComparisons,
  commonCases,
  compareMeasure,
  dimensionMeasure,
  type Measure,
  OVERALL,
  PASS,
} from './measures.js';
import type { Comparison, ComparisonSide, NotComparableReason } from './types.js';

/** The difference that `cases_needed` is counted for unless the request names another. */
export const DETECT_DEFAULT = 0.05;

/** The two sides; null where the request left open which of several agents it means. */
export interface ComparisonPair {
  readonly baseline: ComparisonSide | null;
  readonly candidate: ComparisonSide | null;
}

export interface ComparisonOptions {
  /** A difference of normalised scores, above 0. */
  readonly detect?: number;
}

/**
 * Compares pairs of run agents, case by case. All tests of one call are one family: the more is compared at once,
 * the more evidence each verdict needs.
 */
export function compareRunAgents(
  pairs: readonly ComparisonPair[],
  { detect = DETECT_DEFAULT }: ComparisonOptions = {},
): Comparison[] {
  return adjustComparisons(pairs.map((pair) => comparePair(pair, detect)));
}

function comparePair({ baseline, candidate }: ComparisonPair, detect: number): Comparison {
  const reasons = mismatches(baseline, candidate);
  const left = baseline?.scorecard;
  const right = candidate?.scorecard;
  const cases = reasons.length === 0 && left && right ? commonCases(left, right) : [];
  if (reasons.length === 0 && cases.length === 0) reasons.push('no_common_case');
  const compare = (measure: Measure) => compareMeasure(cases, measure, detect);
  const dimensions = Object.keys(left?.dimensions ?? {});
  return {
    baseline_run_agent_id: baseline?.run_agent_id ?? null,
    candidate_run_agent_id: candidate?.run_agent_id ?? null,
    comparable: reasons.length === 0,
    reasons,
    cases: cases.length,
    tests: 0,
    detect,
    ...missingOf(left, right),
    overall: compare(OVERALL),
    pass: compare(PASS),
    dimensions: Object.fromEntries(dimensions.map((key) => [key, compare(dimensionMeasure(key))])),
  };
}

type Card = RunAgentScorecard | null | undefined;

function missingOf(left: Card, right: Card): Pick<Comparison, 'missing'> {
  const baseline = missingOfSide(left);
  const candidate = missingOfSide(right);
  if (baseline === undefined && candidate === undefined) return {};
  return {
    missing: { ...(baseline !== undefined && { baseline }), ...(candidate !== undefined && { candidate }) },
  };
}

/** A scorecard of an earlier release knows only how many. */
function missingOfSide(card: Card): SideMissing | undefined {
  if (!card) return undefined;
  const { planned_attempts: planned, usable_attempts: usable, missing_attempts: known } = card;
  if (known !== undefined) return { planned, ...known };
  const attempts = planned - usable;
  return attempts > 0 ? { planned, attempts, reasons: [], cases: [] } : undefined;
}

const SAME: [field: keyof ComparisonSide, reason: NotComparableReason][] = [
  ['challenge_pack_version_id', 'challenge_pack_version_mismatch'],
  ['challenge_input_set_id', 'challenge_input_set_mismatch'],
  ['evaluation_spec_id', 'evaluation_spec_mismatch'],
];

function mismatches(
  baseline: ComparisonSide | null,
  candidate: ComparisonSide | null,
): NotComparableReason[] {
  if (baseline === null || candidate === null) return ['agent_unresolved'];
  const reasons = SAME.flatMap(([field, reason]) => (baseline[field] === candidate[field] ? [] : [reason]));
  if (baseline.scorecard === null || candidate.scorecard === null) reasons.push('missing_scorecard');
  if (baseline.is_stopped || candidate.is_stopped) reasons.push('stopped_early');
  return reasons;
}

/** The run agent that a comparison means: the named one, else the only one; undefined is `agent_unresolved`. */
export function resolveRunAgent<A extends { readonly id: string }>(
  agents: readonly A[],
  named?: string,
): A | undefined {
  if (named !== undefined) return agents.find((agent) => agent.id === named);
  return agents.length === 1 ? agents[0] : undefined;
}
