import type {
  GateComparison,
  GateComparisonSpec,
  GateMode,
  GatePolicy,
  GatePolicySpec,
} from '@agentclash/domain';
import { canonicalSha256 } from '../canonical.js';

const LIMITS = {
  correctness: { warn: 0.02, fail: 0.05 },
  reliability: { warn: 0.02, fail: 0.05 },
  latency: { warn: 0.05, fail: 0.15 },
  cost: { warn: 0.1, fail: 0.25 },
};

function comparisonsIn(mode: GateMode): Record<string, GateComparison> {
  return Object.fromEntries(
    Object.entries(LIMITS).map(([key, max_regression]) => [key, { max_regression, mode }]),
  );
}

/** A policy with its own comparisons, or the defaults of mode `point`; all other defaults are filled in. */
export function fillPolicy(spec: Partial<GatePolicySpec>): GatePolicy {
  const { comparisons, other_dimensions: others, missing_dimension } = spec;
  const { allow_recorded_model_calls, imported_runs, pack_audit } = spec;
  const { name = 'default', require_pass = false, max_missing_share = 0, min_cases = 1 } = spec;
  return {
    name,
    comparisons: comparisons === undefined ? comparisonsIn('point') : fillComparisons(comparisons),
    ...(others !== undefined && { other_dimensions: fillComparison(others) }),
    ...(missing_dimension !== undefined && { missing_dimension }),
    ...{ require_pass, max_missing_share, min_cases },
    // Left out by default, so that policies keep their fingerprints.
    ...(allow_recorded_model_calls && { allow_recorded_model_calls }),
    ...(imported_runs !== undefined && imported_runs !== 'refuse' && { imported_runs }),
    ...(pack_audit?.required && { pack_audit }),
  };
}

function fillComparisons(
  specs: Readonly<Record<string, GateComparisonSpec>>,
): Record<string, GateComparison> {
  return Object.fromEntries(Object.entries(specs).map(([key, spec]) => [key, fillComparison(spec)]));
}

function fillComparison({ max_regression, mode = 'point' }: GateComparisonSpec): GateComparison {
  return { max_regression, mode };
}

/**
 * The policy of gates that name none where none called `default` is stored: the dimensions that both sides have, by
 * what is significant.
 */
export const BUILT_IN_POLICY: GatePolicy = fillPolicy({
  comparisons: comparisonsIn('significant'),
  other_dimensions: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'significant' },
  missing_dimension: 'note',
});

/** An author's policy; one that names no comparison compares as the built-in one does. */
export function completePolicy(spec: GatePolicySpec): GatePolicy {
  if (spec.comparisons !== undefined || spec.other_dimensions !== undefined) {
    return fillPolicy({ ...spec, comparisons: spec.comparisons ?? {} });
  }
  const { comparisons, other_dimensions, missing_dimension } = BUILT_IN_POLICY;
  return fillPolicy({ missing_dimension, ...spec, comparisons, other_dimensions });
}

/** Names one exact policy: SHA-256 of its canonical form, defaults included. */
export function gatePolicyFingerprint(policy: GatePolicy): string {
  return canonicalSha256(policy);
}
