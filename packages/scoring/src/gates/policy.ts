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

const DEFAULT_COMPARISONS: Record<string, GateComparison> = {
  correctness: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'point' },
  reliability: { max_regression: { warn: 0.02, fail: 0.05 }, mode: 'point' },
  latency: { max_regression: { warn: 0.05, fail: 0.15 }, mode: 'point' },
  cost: { max_regression: { warn: 0.1, fail: 0.25 }, mode: 'point' },
};

/** What a release must not lose against its baseline. An author's policy is parsed with it; defaults are filled in. */
export const GatePolicy = z.strictObject({
  name: z.string().min(1).default('default'),
  /** By dimension key, in the order their reasons are listed. */
  comparisons: z.record(z.string().min(1), GateComparison).default(DEFAULT_COMPARISONS),
  /** Whether the candidate must have passed by itself. */
  require_pass: z.boolean().default(false),
  /** Attempts without a usable scorecard that either side may have, as a share of the planned ones. */
  max_missing_share: share.default(0),
  /** Cases that both sides must have. */
  min_cases: z.int().min(1).default(1),
});
export type GatePolicy = z.infer<typeof GatePolicy>;

/** Names one exact policy: SHA-256 of its canonical form, defaults included. */
export function gatePolicyFingerprint(policy: GatePolicy): string {
  return canonicalSha256(policy);
}
