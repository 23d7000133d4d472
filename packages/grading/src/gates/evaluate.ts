import type { GateComparison, GateMode, GatePolicy, GateVerdict } from '@agentclash/domain';
import { casesTestable } from '../comparison/detectable.js';
import { studentQuantile } from '../statistics/distributions.js';
import { isAtLeast } from '../tolerance.js';
import { type GateFinding, insufficient, overLimits } from './findings.js';
import { stoppedFindings } from './stopped.js';
import type { GateDimension, GateEvidence, GateResult, GateSide } from './types.js';

const EXIT_CODES: { [V in GateVerdict]: GateResult['exit_code'] } = {
  pass: 0,
  fail: 1,
  warn: 2,
  insufficient_evidence: 3,
};

/** From worst to mildest; reasons list in this order too. */
const SEVERITIES = ['fail', 'insufficient_evidence', 'warn'] as const;

/** Decides a release. Evidence that cannot carry a decision ends it before any threshold is looked at. */
export function evaluateGate(policy: GatePolicy, evidence: GateEvidence): GateResult {
  if (!evidence.comparable) return resultOf([insufficient('not_comparable')]);
  const gaps = evidenceGaps(policy, evidence);
  if (gaps.length > 0) return resultOf(gaps);
  const { is_stopped: isStopped, race, dimensions } = evidence;
  if (isStopped && race !== undefined) {
    return resultOf([
      ...candidateFindings(policy, evidence),
      ...stoppedFindings(policy, race, Object.keys(dimensions)),
    ]);
  }
  const compared = comparedDimensions(policy, evidence);
  return resultOf(
    [...candidateFindings(policy, evidence), ...dimensionFindings(policy, evidence, compared)],
    Object.fromEntries(
      compared.flatMap(([key]) => {
        const figures = evidence.dimensions[key];
        return isCompared(figures) ? [[key, figures.detectable ?? null]] : [];
      }),
    ),
  );
}

/** The dimensions of the policy, then all others that it has limits for and that both sides have. */
function comparedDimensions(
  { comparisons, other_dimensions: others }: GatePolicy,
  { dimensions }: GateEvidence,
): [key: string, comparison: GateComparison][] {
  const named = Object.entries(comparisons);
  if (others === undefined) return named;
  const rest = Object.keys(dimensions).filter((key) => !Object.hasOwn(comparisons, key));
  const shared = rest.filter((key) => isCompared(dimensions[key]));
  return [...named, ...shared.map((key): [string, GateComparison] => [key, others])];
}

function dimensionFindings(
  { missing_dimension: missing = 'insufficient_evidence' }: GatePolicy,
  { dimensions }: GateEvidence,
  compared: readonly [key: string, comparison: GateComparison][],
): GateFinding[] {
  const findings = compared.flatMap(([key, comparison]): GateFinding[] => {
    const figures = dimensions[key];
    if (isCompared(figures)) return regressionFindings(key, comparison, figures);
    return [{ kind: missing, reason: `dimension_unavailable:${key}` }];
  });
  const isAnyCompared = compared.some(([key]) => isCompared(dimensions[key]));
  return isAnyCompared || missing !== 'note' ? findings : [...findings, insufficient('nothing_compared')];
}

/** The conditions that disqualify a side, and their codes behind `candidate_` or `baseline_`. */
export const SIDE_GAPS: [code: string, applies: (side: GateSide, policy: GatePolicy) => boolean][] = [
  ['scorecard_invalid', (side) => side.validity === 'invalid'],
  ['missing_share', (side, policy) => !isAtLeast(policy.max_missing_share, side.missing_share)],
  ['selective_retry', (side) => side.selective_retry === true],
  ['case_subset', (side) => side.lacks_cases === true],
  [
    'recorded_model_calls',
    (side, policy) => side.recorded_model_calls === true && policy.allow_recorded_model_calls !== true,
  ],
  ['imported', (side, { imported_runs: effect = 'refuse' }) => side.imported === true && effect === 'refuse'],
];

function evidenceGaps(policy: GatePolicy, evidence: GateEvidence): GateFinding[] {
  const { candidate, baseline, is_stopped: isStopped, race } = evidence;
  // The verdict of a race is about all of its cases.
  const cases = isStopped ? (race?.population ?? 0) : evidence.cases;
  const gaps = SIDE_GAPS.flatMap(([code, applies]) => [
    ...(applies(candidate, policy) ? [insufficient(`candidate_${code}`)] : []),
    ...(applies(baseline, policy) ? [insufficient(`baseline_${code}`)] : []),
  ]);
  if (evidence.audit_shortfall !== undefined) gaps.push(insufficient(evidence.audit_shortfall));
  if (isStopped && race === undefined) return [insufficient('stopped_early'), ...gaps];
  return cases < policy.min_cases ? [...gaps, insufficient('too_few_cases')] : gaps;
}

function candidateFindings(policy: GatePolicy, { candidate, baseline }: GateEvidence): GateFinding[] {
  const findings: GateFinding[] = [];
  if (candidate.status === 'failed' && baseline.status === 'completed') {
    findings.push({ kind: 'fail', reason: 'candidate_failed' });
  }
  if (policy.require_pass && candidate.passed === null) findings.push(insufficient('pass_unknown'));
  if (policy.require_pass && candidate.passed === false)
    findings.push({ kind: 'fail', reason: 'not_passed' });
  if (policy.imported_runs === 'warn') {
    if (candidate.imported === true) findings.push({ kind: 'warn', reason: 'candidate_imported' });
    if (baseline.imported === true) findings.push({ kind: 'warn', reason: 'baseline_imported' });
  }
  return findings;
}

export function resultOf(
  findings: readonly GateFinding[],
  detectable: GateResult['detectable'] = {},
  pass = 'within_thresholds',
): GateResult {
  const verdict = SEVERITIES.find((kind) => findings.some((finding) => finding.kind === kind)) ?? 'pass';
  const reasonsOf = (kind: GateFinding['kind']) =>
    findings.filter((finding) => finding.kind === kind).map((finding) => finding.reason);
  return {
    verdict,
    reasons: verdict === 'pass' ? [pass] : SEVERITIES.flatMap(reasonsOf),
    exit_code: EXIT_CODES[verdict],
    notes: reasonsOf('note'),
    detectable,
  };
}

/** A dimension that both sides have. */
interface Loss {
  readonly dimension: string;
  /** Baseline − candidate of normalised scores: above 0 is worse. */
  readonly regression: number;
  readonly figures: GateDimension;
  readonly limits: GateComparison['max_regression'];
}

const MODES: { [M in GateMode]: (loss: Loss) => GateFinding[] } = {
  point: lossFindings,
  significant: (loss) => tested(loss, () => (loss.figures.verdict === 'worse' ? lossFindings(loss) : [])),
  non_inferior: (loss) => tested(loss, () => nonInferior(loss)),
};

/** True when both sides have the dimension. */
function isCompared(figures: GateDimension | undefined): figures is GateDimension & { delta: number } {
  return figures !== undefined && figures.state === 'available' && figures.delta !== null;
}

/** The findings of one comparison of the policy; none when the dimension held. */
function regressionFindings(
  dimension: string,
  { mode, max_regression }: GateComparison,
  figures: GateDimension & { delta: number },
): GateFinding[] {
  return MODES[mode]({ dimension, regression: -figures.delta, figures, limits: max_regression });
}

function lossFindings({ dimension, regression, limits }: Loss): GateFinding[] {
  return overLimits({ name: dimension, loss: regression }, limits);
}

/** Too few cases for any loss to be significant decide nothing, whatever they were. */
function tested({ dimension, figures: { n, tests = 1 } }: Loss, decide: () => GateFinding[]): GateFinding[] {
  if (n >= casesTestable(tests)) return decide();
  return [{ kind: 'insufficient_evidence', reason: `too_few_cases_to_test:${dimension}` }];
}

function nonInferior(loss: Loss): GateFinding[] {
  if (isAtLeast(loss.regression, loss.limits.fail) || isShownNonInferior(loss)) return lossFindings(loss);
  return [{ kind: 'insufficient_evidence', reason: `non_inferiority_not_shown:${loss.dimension}` }];
}

/** True when the regression's one-sided 95 % bound stays below the margin. */
function isShownNonInferior({ regression, figures: { n, se, bounds }, limits }: Loss): boolean {
  if (se === null) return false;
  const byStudent = regression + studentQuantile(0.95, n - 1) * se;
  // Without bounds of the comparison: that of n equal differences, which no other n differences undercut.
  const atLeast = bounds ? -bounds[0] : regression + (1 - regression) * (1 - 0.05 ** (1 / n));
  return !isAtLeast(Math.max(byStudent, atLeast), limits.fail);
}
