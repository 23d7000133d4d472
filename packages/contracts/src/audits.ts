import { AUDIT_RESULTS, AUDIT_STATUSES, type AuditRequirement as Requirement } from '@agentclash/domain';
import { z } from 'zod';
import { job, rpc } from './message.js';
import { Actor, type FieldsOf, PageQuery, page, Timestamp, Uuid } from './values.js';

const inWorkspace = { workspace_id: Uuid };
const ofVersion = { ...inWorkspace, version_id: Uuid };
const count = z.number().int().min(0);
const share = z.number().min(0).max(1);

/** The result of an audit in short: for a version, a ranking, an export, a gate. */
export const AuditCertificate = z.object({
  audit_id: Uuid,
  result: z.enum(AUDIT_RESULTS),
  /** True for an audit of a part of the cases, without repetitions. */
  quick: z.boolean(),
  /** Share of mutants that the graders noticed; null with fewer than ten. */
  strength: share.nullable(),
  cheats_tried: count,
  /** Cheats that gained a point. */
  cheats_gained: count,
  /** Distinct graders of the cases that were run, and those on which cheats were tried; absent in older certificates. */
  graders: count.optional(),
  graders_tried: count.optional(),
  /** Of the content that was audited. */
  digest: z.string(),
  /** Of AgentClash. */
  version: z.string(),
  audited_at: Timestamp,
});
export type AuditCertificate = z.infer<typeof AuditCertificate>;

const CheckSummary = z.object({
  state: z.enum(['passed', 'failed', 'incomplete', 'skipped']),
  trials: count,
  summary: z.string(),
});

/** One thing to know about the pack, with the next step. */
export const AuditFinding = z.object({
  check: z.string(),
  code: z.string(),
  /** `error` fails the audit, `missing` leaves it incomplete. */
  severity: z.enum(['error', 'missing', 'warning', 'note']),
  message: z.string(),
  fix: z.string(),
  input_set_key: z.string().optional(),
  case_key: z.string().optional(),
  other_case_keys: z.array(z.string()).optional(),
  validators: z.array(z.string()).optional(),
  dimensions: z.array(z.string()).optional(),
  cheat: z.string().optional(),
  /** Further cheats that gain alike, where so many do that the cause is in the grader. */
  other_cheats: z.array(z.string()).optional(),
  /** The reasons of the graders, or the change that they did not notice. */
  detail: z.string().optional(),
  location: z.object({ field: z.string(), line: z.number().int(), column: z.number().int() }).optional(),
});
export type AuditFinding = z.infer<typeof AuditFinding>;

const amount = z.number().min(0);

const RaceBounds = z.object({
  cases: count,
  attempts: count,
  calls_max: z.object({ agents: amount, users: amount, judges: amount }),
  /** Null where nothing limits it. */
  tokens_max: amount.nullable(),
  cost_max_usd: amount.nullable(),
  seconds_max: amount,
  duration_seconds_max: amount.nullable(),
  /** The costs and times that nothing limits. */
  unlimited: z.array(z.string()),
});

/** The certificate in full, as an audit wrote it. */
export const AuditReport = z.object({
  schema: z.literal('agentclash.pack-audit/1'),
  pack: z.object({ slug: z.string(), number: z.number().int(), digest: z.string() }),
  version: z.string(),
  audited_at: Timestamp,
  duration_ms: z.number().min(0),
  sandbox: z.object({ provider: z.string(), isolation: z.string() }),
  options: z.object({ quick: z.boolean(), seed: z.string(), cases: count, cases_total: count }),
  result: z.enum(AUDIT_RESULTS),
  checks: z.object({
    static: CheckSummary,
    oracle: CheckSummary.extend({
      cases: count,
      passed: count,
      repetitions: count,
      flake_rate: share.nullable(),
    }),
    idle: CheckSummary,
    echo: CheckSummary,
    blank: CheckSummary,
    cheats: CheckSummary.extend({
      tried: count,
      gained: count,
      graders: count.optional(),
      graders_tried: count.optional(),
    }),
    strength: CheckSummary.extend({ mutants: count, noticed: count, strength: share.nullable() }),
  }),
  findings: z.array(AuditFinding),
  /** Findings that are left out because all of them exceed what is kept. */
  findings_omitted: count.optional(),
  /** The most that a race of one agent takes, once per case; absent where not all cases were read. */
  race: RaceBounds.optional(),
});
export type AuditReport = z.infer<typeof AuditReport>;

/** The most trials of the current check, and those that have ended. */
export const AuditProgress = z.object({ check: z.string(), done: count, total: count });
export type AuditProgress = z.infer<typeof AuditProgress>;

/** An audit of a published version. */
export const PackAudit = z.object({
  id: Uuid,
  challenge_pack_id: Uuid,
  challenge_pack_version_id: Uuid,
  slug: z.string(),
  version_number: z.number().int(),
  digest: z.string(),
  status: z.enum(AUDIT_STATUSES),
  quick: z.boolean(),
  /** Chosen by a user of an earlier version, whose audit counts for nothing; null: the digest of the version. */
  seed: z.string().nullable(),
  /** Of an audit that is running. */
  progress: AuditProgress.nullable(),
  /** Of a completed audit. */
  certificate: AuditCertificate.nullable(),
  /** The reason of a failed audit. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  created_at: Timestamp,
  created_by: z.string(),
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
});
export type PackAudit = z.infer<typeof PackAudit>;

/** An audit with its report, which is null before it has completed. */
export const PackAuditDetails = PackAudit.extend({ report: AuditReport.nullable() });
export type PackAuditDetails = z.infer<typeof PackAuditDetails>;

/** The audit that a team demands of a version: its newest certificate must have passed. */
export const AuditRequirement = z.strictObject({
  min_strength: share.optional(),
  max_age_days: z.int().min(1).max(3_650).optional(),
} satisfies FieldsOf<Requirement>);

/** The rules of a workspace about audits. */
export const AuditPolicySpec = AuditRequirement.extend({
  /** True when runs may only be created of versions whose newest certificate fulfils the requirement. */
  require_audit: z.boolean(),
});
export type AuditPolicySpec = z.infer<typeof AuditPolicySpec>;
export const AuditPolicy = z.object({ ...AuditPolicySpec.shape, updated_at: Timestamp.nullable() });
export type AuditPolicy = z.infer<typeof AuditPolicy>;

/** Options of an audit, as a user chooses them. The digest of the version draws cases and mutants: no user can try seeds until one passes. */
export const AuditOptions = z.strictObject({
  /** At most 20 cases, one repetition and 40 mutants. */
  quick: z.boolean().default(false),
});

const ofAudit = z.object({ ...ofVersion, audit_id: Uuid });

/** The most audits of a workspace that wait or run. */
export const ACTIVE_AUDITS_MAX = 50;

export const audits = {
  /**
   * Queues an audit; the one that is active with the same options is returned instead. Fails with `conflict` where the
   * active one has other options, or where too many are active.
   */
  create: rpc('audits.v1.create', {
    input: AuditOptions.extend({ ...ofVersion, actor: Actor }),
    output: z.object({ created: z.boolean(), audit: PackAudit }),
  }),
  /** Newest first. */
  list: rpc('audits.v1.list', { input: PageQuery.extend(ofVersion), output: page(PackAudit) }),
  get: rpc('audits.v1.get', { input: ofAudit, output: PackAuditDetails }),
  /** Fails with `conflict` for an audit that is completed or failed. */
  cancel: rpc('audits.v1.cancel', { input: ofAudit, output: PackAudit }),
  policy: rpc('audits.v1.policy', { input: z.object(inWorkspace), output: AuditPolicy }),
  setPolicy: rpc('audits.v1.set_policy', {
    input: z.object({ ...inWorkspace, policy: AuditPolicySpec, actor: Actor }),
    output: AuditPolicy,
  }),
};

/** The most time between two renewals of an executor. */
export const AUDIT_LEASE_MS = 30_000;

const Held = z.object({
  audit_id: Uuid,
  executor_id: z.string().min(1).max(200),
  delivery: z.number().int().min(1),
});

/** Requests of the executor that runs an audit. */
export const auditLeases = {
  /** Takes the audit for `AUDIT_LEASE_MS`; null where it has ended or another executor holds it. */
  claim: rpc('audit_leases.v1.claim', {
    input: Held.omit({ delivery: true }),
    output: z.object({
      audit: z
        .object({
          ...ofVersion,
          delivery: z.number().int().min(1),
          slug: z.string(),
          version_number: z.number().int(),
          digest: z.string(),
          quick: z.boolean(),
          seed: z.string().nullable(),
        })
        .nullable(),
    }),
  }),
  /** `cancelled` or `lost`: the executor stops, and reports nothing. */
  renew: rpc('audit_leases.v1.renew', {
    input: Held.extend({ progress: AuditProgress.nullable() }),
    output: z.object({ fate: z.enum(['held', 'cancelled', 'lost']) }),
  }),
  /** Stores the end of an audit: its report, or the reason of its failure. False where it is held no longer. */
  finish: rpc('audit_leases.v1.finish', {
    input: Held.extend({
      end: z.union([
        z.object({ report: AuditReport }),
        z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
        /** The executor stops: another one runs the audit from its beginning. */
        z.object({ released: z.literal(true) }),
      ]),
    }),
    output: z.object({ accepted: z.boolean() }),
  }),
};

/** Work for the sandbox executor. */
export const auditJobs = {
  run: job('audits.v1.run', { input: z.object({ audit_id: Uuid }), ackWaitMs: 30_000, deliveriesMax: 3 }),
};
