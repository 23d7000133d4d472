import { z } from 'zod';
import { canonicalSha256 } from '../canonical.js';

export const GATE_MODES = ['point', 'significant', 'non_inferior'] as const;
export type GateMode = (typeof GATE_MODES)[number];

const share = z.number().min(0).max(1);

const GateComparison = z.strictObject({
  /** In normalised score, 0..1. Limits are inclusive: an unchanged score reaches a limit of 0. */
  max_regression: z
    .strictObject({ warn: share, fail: share })
    .refine(({ warn, fail }) => warn <= fail, { error: 'warn must not exceed fail', path: ['warn'] }),
  mode: z.enum(GATE_MODES).default('point'),
});
export type GateComparison = z.infer<typeof GateComparison>;

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

/** What a release must not lose against its baseline. An author's policy is parsed with it; defaults are filled in. */
export const GatePolicy = z.strictObject({
  name: z.string().min(1).default('default'),
  /** By dimension key, in the order their reasons are listed. */
  comparisons: z.record(z.string().min(1), GateComparison).default(() => comparisonsIn('point')),
  /** For every other dimension that both sides have. Without it they are not compared. */
  other_dimensions: GateComparison.optional(),
  /** What a dimension of `comparisons` is that a side lacks; without it insufficient evidence. */
  missing_dimension: z.enum(['note', 'insufficient_evidence']).optional(),
  /** Whether the candidate must have passed by itself. */
  require_pass: z.boolean().default(false),
  /** Attempts without a usable scorecard that either side may have, as a share of the planned ones. */
  max_missing_share: share.default(0),
  /** Cases that both sides must have. */
  min_cases: z.int().min(1).default(1),
});
export type GatePolicy = z.infer<typeof GatePolicy>;

/**
 * The policy of gates that name none where none called `default` is stored: the dimensions that both sides have, by
 * what is significant.
 */
export const BUILT_IN_POLICY: GatePolicy = GatePolicy.parse({
  comparisons: comparisonsIn('significant'),
  other_dimensions: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'significant' },
  missing_dimension: 'note',
});

/** An author's policy; one that names no comparison compares as the built-in one does. */
export function completePolicy(spec: z.input<typeof GatePolicy>): GatePolicy {
  if (spec.comparisons !== undefined || spec.other_dimensions !== undefined) {
    return GatePolicy.parse({ ...spec, comparisons: spec.comparisons ?? {} });
  }
  const { comparisons, other_dimensions, missing_dimension } = BUILT_IN_POLICY;
  return GatePolicy.parse({ missing_dimension, ...spec, comparisons, other_dimensions });
}

/** Names one exact policy: SHA-256 of its canonical form, defaults included. */
export function gatePolicyFingerprint(policy: GatePolicy): string {
  return canonicalSha256(policy);
}
