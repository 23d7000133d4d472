import {
  type GatePolicySpec as AuthoredPolicy,
  GATE_MODES,
  GATE_VERDICTS,
  type GateComparisonSpec,
  IMPORTED_RUN_EFFECTS,
  MISSING_DIMENSION_EFFECTS,
} from '@agentclash/domain';
import { z } from 'zod';
import { AuditRequirement } from './audits.js';
import { LaneReference, RunComparison } from './comparisons.js';
import { rpc } from './message.js';
import { RaceComparison } from './races.js';
import { Applied, inWorkspace, ResourceName } from './resources.js';
import { Actor, type FieldsOf, PageQuery, PlainText, page, Timestamp, Uuid } from './values.js';

const share = z.number().min(0).max(1);

const DimensionLimit = z.strictObject({
  /** In normalised score; 0 <= warn <= fail. */
  max_regression: z
    .strictObject({ warn: share, fail: share })
    .refine(({ warn, fail }) => warn <= fail, { error: 'must not exceed fail', path: ['warn'] }),
  mode: z.enum(GATE_MODES).optional(),
} satisfies FieldsOf<GateComparisonSpec>);

/**
 * The measures that a release must not lose against its baseline; absent fields have the defaults of the product.
 * Without `comparisons` and `other_dimensions` it compares as the built-in policy does.
 */
export const GatePolicySpec = z.strictObject({
  name: ResourceName,
  /** By dimension. */
  comparisons: z
    .record(PlainText.min(1).max(128), DimensionLimit)
    .refine((limits) => Object.keys(limits).length <= 64, { error: 'names more than 64 dimensions' })
    .optional(),
  /** Limits of every dimension that both sides have and `comparisons` does not name; without them it is not compared. */
  other_dimensions: DimensionLimit.optional(),
  /** The effect of a dimension of `comparisons` that a side lacks; default: insufficient_evidence. */
  missing_dimension: z.enum(MISSING_DIMENSION_EFFECTS).optional(),
  /** True when the candidate must have passed independently of the baseline. */
  require_pass: z.boolean().optional(),
  /** Share of planned attempts that either side may lack. */
  max_missing_share: share.optional(),
  /** Cases that both sides must have. */
  min_cases: z.int().min(1).max(1_000_000).optional(),
  /** True when either side may be a run that was served recorded or cached replies of models; default: no. */
  allow_recorded_model_calls: z.boolean().optional(),
  /** When either side is an imported run; default: `refuse`, the evidence is insufficient. */
  imported_runs: z.enum(IMPORTED_RUN_EFFECTS).optional(),
  /** The audit that the version of the runs must have passed; without it the evidence is insufficient. */
  pack_audit: AuditRequirement.extend({ required: z.boolean() }).optional(),
} satisfies FieldsOf<AuthoredPolicy>);
export type GatePolicySpec = z.infer<typeof GatePolicySpec>;

/** One version of a stored policy, its defaults filled in. A change makes a next version; none ever changes. */
export const GatePolicy = z.object({
  ...GatePolicySpec.shape,
  id: Uuid,
  version: z.number().int(),
  /** SHA-256 of the canonical policy. */
  fingerprint: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type GatePolicy = z.infer<typeof GatePolicy>;

/** The policy of gates that name none. */
export const DefaultGatePolicy = z.object({
  ...GatePolicySpec.shape,
  fingerprint: z.string(),
  /** True when it is the product's, because none called `default` is stored. */
  built_in: z.boolean(),
});
export type DefaultGatePolicy = z.infer<typeof DefaultGatePolicy>;

const ofPolicy = z.object({ ...inWorkspace, gate_policy_id: Uuid });

export const gatePolicies = {
  /** Fails with `conflict` when the name is taken. */
  create: rpc('gate_policies.v1.create', {
    input: z.object({ ...inWorkspace, spec: GatePolicySpec, actor: Actor }),
    output: GatePolicy,
  }),
  /** Creates the next version, unless the newest is equal. */
  update: rpc('gate_policies.v1.update', {
    input: ofPolicy.extend({ spec: GatePolicySpec, actor: Actor }),
    output: z.object({ applied: Applied, gate_policy: GatePolicy }),
  }),
  /** The newest version of each, newest policy first. */
  list: rpc('gate_policies.v1.list', {
    input: PageQuery.extend({ ...inWorkspace, name: PlainText.optional() }),
    output: page(GatePolicy),
  }),
  get: rpc('gate_policies.v1.get', { input: ofPolicy, output: GatePolicy }),
  /** The stored policy called `default`, else the built-in one. */
  getDefault: rpc('gate_policies.v1.get_default', {
    input: z.object(inWorkspace),
    output: DefaultGatePolicy,
  }),
  /** Stored decisions keep its fingerprint. */
  remove: rpc('gate_policies.v1.remove', { input: ofPolicy, output: z.object({}) }),
};

export const GateRequest = z
  .strictObject({
    /** The name of a baseline of the candidate's pack and input set; without `baseline_run_id` the default is `default`. */
    baseline: PlainText.trim().min(1).max(64).optional(),
    baseline_run_id: Uuid.optional(),
    candidate_run_id: Uuid,
    /** A stored policy, by name or id. Default: the one named `default`, else the built-in one. */
    policy: PlainText.trim().min(1).max(128).optional(),
    /** Without either, agents of several are compared by their names: one that a run alone has is not comparable. */
    baseline_agent: LaneReference.optional(),
    candidate_agent: LaneReference.optional(),
  })
  .refine(({ baseline, baseline_run_id }) => baseline === undefined || baseline_run_id === undefined, {
    error: 'cannot be given beside baseline',
    path: ['baseline_run_id'],
  });
export type GateRequest = z.infer<typeof GateRequest>;

/** The findings of a gate on one pair of agents. */
const finding = {
  verdict: z.enum(GATE_VERDICTS),
  /** `CODE` or `CODE:DIMENSION`: failures, then insufficiencies, then warnings; `within_thresholds` alone for a pass. */
  reasons: z.array(z.string()),
  /** `CODE:DIMENSION` of what the policy names and lets be missing. */
  notes: z.array(z.string()).optional(),
  /** By dimension that was compared, the smallest loss that would have been significant with 80 % power; null for none. */
  detectable: z.record(z.string(), z.number().nullable()).optional(),
  /** The verdict of a race that decided, where a side stopped early. */
  race: RaceComparison.optional(),
};

export const GateDecision = z.object({
  /** Of several agents: the worst of their verdicts; their reasons and notes are `CODE:AGENT` or `CODE:AGENT / DIMENSION` then. */
  ...finding,
  /** Set when several agents were compared, each with the agent of its name; those without one are in it, too. */
  agents: z.array(z.object({ agent: z.string(), ...finding })).optional(),
  /** For CI: 0 pass, 1 fail, 2 warn, 3 insufficient_evidence. */
  exit_code: z.number().int(),
  comparison_id: Uuid,
  policy_fingerprint: z.string(),
  policy: GatePolicySpec,
  baseline_run_id: Uuid,
  candidate_run_id: Uuid,
  decided_at: Timestamp,
  /** The requester. */
  decided_by: z.string().optional(),
});
export type GateDecision = z.infer<typeof GateDecision>;

/** The decision that a gate would make now, with the comparison behind it. Nothing of it is stored. */
export const GatePreview = GateDecision.omit({
  comparison_id: true,
  decided_at: true,
  decided_by: true,
}).extend({ comparison: RunComparison });
export type GatePreview = z.infer<typeof GatePreview>;

export const gates = {
  /** Compares and decides; both are stored. Fails with `not_found` for a run, lane, baseline or policy that is not there. */
  evaluate: rpc('gates.v1.evaluate', {
    input: z.object({ ...inWorkspace, request: GateRequest, actor: Actor }),
    output: GateDecision,
    timeoutMs: 20_000,
  }),
  /** As `evaluate`, without storing anything. */
  preview: rpc('gates.v1.preview', {
    input: z.object({ ...inWorkspace, request: GateRequest }),
    output: GatePreview,
    timeoutMs: 20_000,
  }),
  /** The decisions on one candidate or on all, newest first. */
  list: rpc('gates.v1.list', {
    input: PageQuery.extend({ ...inWorkspace, candidate_run_id: Uuid.optional() }),
    output: page(GateDecision),
  }),
};
