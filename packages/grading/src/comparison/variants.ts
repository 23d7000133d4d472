import type { ComparisonVerdict, VariantVerdict } from '@agentclash/domain';
import type { RunAgentScorecard } from '../aggregate/types.js';
import { holmAdjust } from '../statistics/tests.js';
import { DETECT_DEFAULT } from './compare.js';
import { casesTestable } from './detectable.js';
import { differenceInterval, SIGNIFICANCE } from './difference-interval.js';
import { commonCases, compareMeasure, differencesOf, type Measure, OVERALL, PASS } from './measures.js';
import { casesNeeded, verdictOf } from './paired-test.js';
import type { MeasureComparison } from './types.js';

/** A lane of a run whose deployment has variants. */
export interface VariantLane {
  readonly run_agent_id: string;
  readonly variant: { readonly deployment: string; readonly name: string; readonly baseline: string };
  readonly scorecard: RunAgentScorecard;
}

/** A variant against the baseline of its deployment. */
export interface VariantComparison {
  readonly run_agent_id: string;
  readonly baseline_run_agent_id: string;
  readonly deployment: string;
  readonly variant: string;
  readonly baseline: string;
  readonly verdict: VariantVerdict;
  /** Passing, where the pack has a bar for it; else the overall score. */
  readonly measure: 'pass' | 'overall';
  /** Cases that both have. */
  readonly cases: number;
  /** Means of the baseline and of the variant over these cases, and their difference, higher is better. */
  readonly baseline_mean: number | null;
  readonly variant_mean: number | null;
  readonly difference: number | null;
  /** The 95 % interval, which agrees with `p`. */
  readonly interval: readonly [number, number] | null;
  /** The interval for all variants together, which agrees with `p_adjusted`. */
  readonly interval_adjusted: readonly [number, number] | null;
  readonly p: number | null;
  /** Holm-adjusted over all variants of the run; it decides the verdict. */
  readonly p_adjusted: number | null;
  /** How many variants were tested. */
  readonly tests: number;
  /** The difference that `more_cases` is counted for. */
  readonly detect: number;
  /** Where no difference is shown: cases besides these that show one of `detect` with 80 % power; null for none. */
  readonly more_cases: number | null;
  /** A difference of `detect` or more is excluded, in both directions. */
  readonly negligible: boolean;
}

interface Compared {
  readonly lane: VariantLane;
  readonly baseline: VariantLane;
  readonly measure: VariantComparison['measure'];
  readonly result: MeasureComparison;
}

const MEASURES: Record<VariantComparison['measure'], Measure> = { pass: PASS, overall: OVERALL };

/**
 * Compares each variant with the baseline of its deployment, paired by case, in the order of the lanes. All variants are
 * one family of tests. Lanes without their baseline are left out.
 */
export function compareVariants(lanes: readonly VariantLane[]): VariantComparison[] {
  const compared = lanes.flatMap((lane): Compared[] => {
    const { deployment, name, baseline } = lane.variant;
    if (name === baseline) return [];
    const other = lanes.find(
      ({ variant }) => variant.deployment === deployment && variant.name === variant.baseline,
    );
    return other === undefined ? [] : [compareLanes(lane, other)];
  });
  const tested = compared.filter(({ result }) => result.p !== null);
  const adjusted = holmAdjust(tested.map(({ result }) => result.p ?? 1));
  return compared.map((each) => {
    const at = tested.indexOf(each);
    return comparisonOf(each, { adjusted: at < 0 ? null : (adjusted[at] ?? null), tests: tested.length });
  });
}

function compareLanes(lane: VariantLane, baseline: VariantLane): Compared {
  const cases = commonCases(baseline.scorecard, lane.scorecard);
  const ofMeasure = (measure: VariantComparison['measure']): Compared => ({
    ...{ lane, baseline, measure },
    result: compareMeasure(cases, MEASURES[measure], DETECT_DEFAULT),
  });
  const pass = ofMeasure('pass');
  return pass.result.n > 0 ? pass : ofMeasure('overall');
}

const VERDICTS: Record<ComparisonVerdict, VariantVerdict> = {
  better: 'helps',
  worse: 'harms',
  inconclusive: 'no_difference_shown',
};

function comparisonOf(
  { lane, baseline, measure, result }: Compared,
  { adjusted, tests }: { adjusted: number | null; tests: number },
): VariantComparison {
  const { deployment, name } = lane.variant;
  const verdict = VERDICTS[verdictOf(adjusted, result.mean_difference)];
  return {
    run_agent_id: lane.run_agent_id,
    baseline_run_agent_id: baseline.run_agent_id,
    deployment,
    variant: name,
    baseline: baseline.variant.name,
    verdict,
    measure,
    cases: result.n,
    baseline_mean: result.baseline,
    variant_mean: result.candidate,
    difference: result.mean_difference,
    interval: result.interval,
    interval_adjusted:
      adjusted === null ? null : differenceInterval(differencesOf(result), { p: adjusted, tests }),
    p: result.p,
    p_adjusted: adjusted,
    tests,
    detect: DETECT_DEFAULT,
    more_cases: verdict === 'no_difference_shown' ? moreCases(result, tests) : null,
    negligible: result.negligible,
  };
}

/** Cases besides those that were compared; null where these suffice, or where the spread is unknown. */
function moreCases({ n, sd, mean_difference, negligible }: MeasureComparison, tests: number): number | null {
  const isSpreadUnknown = sd === null || (sd === 0 && mean_difference === 0);
  if (isSpreadUnknown || negligible) return null;
  const level = SIGNIFICANCE / Math.max(1, tests);
  const needed = Math.max(casesTestable(tests), casesNeeded(sd, DETECT_DEFAULT, level));
  return Math.max(0, needed - n) || null;
}
