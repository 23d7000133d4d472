import { casesTestable } from '../comparison/detectable.js';
import { studentQuantile } from '../statistics/student-t.js';
import { isAtLeast } from '../tolerance.js';
import type { Finding } from './finding.js';
import type { GateComparison, GateMode } from './policy.js';
import type { GateDimension } from './types.js';

/** A dimension that both sides have. */
interface Loss {
  readonly dimension: string;
  /** Baseline − candidate of normalised scores: above 0 is worse. */
  readonly regression: number;
  readonly figures: GateDimension;
  readonly limits: GateComparison['max_regression'];
}

const MODES: { [M in GateMode]: (loss: Loss) => Finding[] } = {
  point: overLimits,
  significant: (loss) => tested(loss, () => (loss.figures.verdict === 'worse' ? overLimits(loss) : [])),
  non_inferior: (loss) => tested(loss, () => nonInferior(loss)),
};

/** Whether both sides have the dimension. */
export function isCompared(figures: GateDimension | undefined): figures is GateDimension & { delta: number } {
  return figures !== undefined && figures.state === 'available' && figures.delta !== null;
}

/** What one comparison of the policy finds; nothing when the dimension held. */
export function regressionFindings(
  dimension: string,
  { mode, max_regression }: GateComparison,
  figures: GateDimension & { delta: number },
): Finding[] {
  return MODES[mode]({ dimension, regression: -figures.delta, figures, limits: max_regression });
}

function overLimits({ dimension, regression, limits }: Loss): Finding[] {
  if (isAtLeast(regression, limits.fail)) return [{ kind: 'fail', reason: `regression_fail:${dimension}` }];
  if (isAtLeast(regression, limits.warn)) return [{ kind: 'warn', reason: `regression_warn:${dimension}` }];
  return [];
}

/** Too few cases for any loss to be significant decide nothing, whatever they were. */
function tested({ dimension, figures: { n, tests = 1 } }: Loss, decide: () => Finding[]): Finding[] {
  if (n >= casesTestable(tests)) return decide();
  return [{ kind: 'insufficient_evidence', reason: `too_few_cases_to_test:${dimension}` }];
}

function nonInferior(loss: Loss): Finding[] {
  if (isAtLeast(loss.regression, loss.limits.fail) || isShownNonInferior(loss)) return overLimits(loss);
  return [{ kind: 'insufficient_evidence', reason: `non_inferiority_not_shown:${loss.dimension}` }];
}

/** Whether the regression's one-sided 95 % bound stays below the margin. */
function isShownNonInferior({ regression, figures: { n, se, bounds }, limits }: Loss): boolean {
  if (se === null) return false;
  const byStudent = regression + studentQuantile(0.95, n - 1) * se;
  // Without bounds of the comparison: that of n equal differences, which no other n differences undercut.
  const atLeast = bounds ? -bounds[0] : regression + (1 - regression) * (1 - 0.05 ** (1 / n));
  return !isAtLeast(Math.max(byStudent, atLeast), limits.fail);
}
