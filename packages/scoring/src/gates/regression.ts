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
  point: (loss) => overLimits(loss),
  significant: (loss) => (loss.figures.verdict === 'worse' ? overLimits(loss) : []),
  non_inferior: nonInferior,
};

/** What one comparison of the policy finds; nothing when the dimension held. */
export function regressionFindings(
  dimension: string,
  { mode, max_regression }: GateComparison,
  figures: GateDimension | undefined,
): Finding[] {
  if (figures === undefined || figures.state !== 'available' || figures.delta === null) {
    return [{ kind: 'insufficient_evidence', reason: `dimension_unavailable:${dimension}` }];
  }
  return MODES[mode]({ dimension, regression: -figures.delta, figures, limits: max_regression });
}

function overLimits({ dimension, regression, limits }: Loss): Finding[] {
  if (isAtLeast(regression, limits.fail)) return [{ kind: 'fail', reason: `regression_fail:${dimension}` }];
  if (isAtLeast(regression, limits.warn)) return [{ kind: 'warn', reason: `regression_warn:${dimension}` }];
  return [];
}

function nonInferior(loss: Loss): Finding[] {
  if (isAtLeast(loss.regression, loss.limits.fail) || isShownNonInferior(loss)) return overLimits(loss);
  return [{ kind: 'insufficient_evidence', reason: `non_inferiority_not_shown:${loss.dimension}` }];
}

/** Whether the regression's one-sided 95 % bound stays below the margin. */
function isShownNonInferior({ regression, figures: { n, se }, limits }: Loss): boolean {
  if (n < 2 || se === null) return false;
  return !isAtLeast(regression + studentQuantile(0.95, n - 1) * se, limits.fail);
}
