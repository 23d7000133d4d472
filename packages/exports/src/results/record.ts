import type { Attempt, PackVersion, Run, RunAgent, ScorecardReply } from '@agentclash/api';
import { isJsonObject, type JsonObject } from '@agentclash/challengepack';

/** Names the form of a record; a later form has another number. */
export const RESULT_SCHEMA = 'agentclash.result/1';

/** The score of one dimension, and the measured value behind a normalised one. */
interface DimensionRecord {
  state: string;
  score: number | null;
  reason: string | null;
  raw: { value: number; unit: string | null } | null;
}

interface ValidatorRecord {
  type: string;
  state: string;
  verdict: string | null;
  score: number | null;
  reason: string | null;
  outcome: string | null;
}

interface JudgeRecord {
  state: string;
  score: number | null;
  reason: string | null;
}

/** The result of one attempt: one line of a JSONL export, one row of a table. */
export interface ResultRecord {
  schema: typeof RESULT_SCHEMA;
  run_id: string;
  run_name: string | null;
  pack: string;
  version_number: number;
  version_id: string;
  version_digest: string;
  evaluation_spec_id: string;
  input_set: string;
  lane: string;
  /** The deployment without its variant. */
  deployment: string;
  deployment_id: string;
  variant: string | null;
  kind: string;
  attempt_id: string;
  case_key: string;
  challenge_key: string | null;
  repetition: number;
  state: string;
  outcome: string | null;
  limit_kind: string | null;
  error_code: string | null;
  passed: boolean | null;
  overall: number | null;
  validity: string | null;
  /** The code of the reason for `passed`. */
  reason: string | null;
  scorecard_revision: number | null;
  dimensions: Record<string, DimensionRecord>;
  validators: Record<string, ValidatorRecord>;
  judges: Record<string, JudgeRecord>;
  metrics: Record<string, number | boolean | null>;
  input_tokens: number | null;
  output_tokens: number | null;
  total_tokens: number | null;
  /** US dollars; null where any part of the cost is unknown. */
  cost_usd: number | null;
  cost_at_least_usd: number | null;
  model_calls: number | null;
  tool_calls: number | null;
  /** Replies of models that were served without a call. */
  served_calls: number;
  latency_ms: number | null;
  started_at: string | null;
  finished_at: string | null;
  /** True for an attempt that was never needed: its race was decided, or its budget was used up. */
  skipped: boolean;
  /** The reason of an end of the run before its last case. */
  stopped: string | null;
  selective_retry: boolean;
  /** True when the attempt was run elsewhere and imported. */
  imported: boolean;
  /** Of the newest audit of the version; null without one. */
  audit_result: string | null;
  audit_strength: number | null;
  audit_cheats_gained: number | null;
  audited_at: string | null;
}

/** The facts of a run that its records repeat. */
export interface ExportedRun {
  run: Run;
  version: Pick<PackVersion, 'id' | 'digest' | 'audit'>;
  lanes: ReadonlyMap<string, RunAgent>;
}

/** An attempt with its scorecard, as the API lists them. */
export interface ExportedAttempt {
  attempt: Attempt;
  scorecard: Pick<ScorecardReply, 'revision' | 'evaluation_spec_id' | 'scorecard'>;
}

export function resultRecord(
  { run, version, lanes }: ExportedRun,
  { attempt, scorecard: reply }: ExportedAttempt,
): ResultRecord {
  const lane = lanes.get(attempt.run_agent_id);
  const card: JsonObject = isJsonObject(reply.scorecard) ? reply.scorecard : {};
  const usage: JsonObject = isJsonObject(attempt.usage) ? attempt.usage : {};
  return {
    schema: RESULT_SCHEMA,
    run_id: run.id,
    run_name: run.name,
    pack: run.pack.slug,
    version_number: run.pack.version_number,
    version_id: version.id,
    version_digest: version.digest,
    evaluation_spec_id: reply.evaluation_spec_id ?? run.evaluation_spec_id,
    input_set: run.input_set.key,
    lane: attempt.agent_name,
    deployment: lane?.variant?.deployment ?? lane?.name ?? attempt.agent_name,
    deployment_id: lane?.deployment_id ?? '',
    variant: lane?.variant?.name ?? null,
    kind: lane?.kind ?? '',
    attempt_id: attempt.id,
    case_key: attempt.case_key,
    challenge_key: attempt.challenge_key ?? null,
    repetition: attempt.repetition,
    state: attempt.state,
    outcome: attempt.outcome,
    limit_kind: attempt.limit_kind,
    error_code: attempt.error?.code ?? null,
    passed: attempt.passed,
    overall: attempt.overall,
    validity: attempt.validity,
    reason: textOf(card.reason),
    scorecard_revision: reply.revision,
    dimensions: byKey(card.dimensions, dimensionOf),
    validators: byKey(card.validators, validatorOf),
    judges: byKey(card.judges, judgeOf),
    metrics: byKey(card.metrics, ({ value }) => (typeof value === 'boolean' ? value : numberOf(value))),
    input_tokens: numberOf(usage.input),
    output_tokens: numberOf(usage.output),
    total_tokens: numberOf(usage.total),
    cost_usd: attempt.cost_usd ?? null,
    cost_at_least_usd: attempt.cost_at_least_usd ?? null,
    model_calls: attempt.model_call_count ?? null,
    tool_calls: attempt.tool_call_count,
    served_calls: attempt.served_calls ?? 0,
    latency_ms: attempt.latency_ms,
    started_at: attempt.started_at,
    finished_at: attempt.finished_at,
    skipped: attempt.state === 'skipped',
    stopped: run.stopped ?? null,
    selective_retry: run.selective_retry ?? false,
    imported: run.imported !== undefined,
    audit_result: version.audit?.result ?? null,
    audit_strength: version.audit?.strength ?? null,
    audit_cheats_gained: version.audit?.cheats_gained ?? null,
    audited_at: version.audit?.audited_at ?? null,
  };
}

function dimensionOf({ state, score, reason, raw }: JsonObject): DimensionRecord {
  const value = isJsonObject(raw) ? numberOf(raw.value) : null;
  return {
    ...{ state: textOf(state) ?? 'unavailable', score: numberOf(score), reason: textOf(reason) },
    raw: value === null ? null : { value, unit: isJsonObject(raw) ? textOf(raw.unit) : null },
  };
}

function validatorOf({ type, state, verdict, score, reason, outcome }: JsonObject): ValidatorRecord {
  return {
    ...{ type: textOf(type) ?? '', state: textOf(state) ?? 'unavailable', verdict: textOf(verdict) },
    ...{ score: numberOf(score), reason: textOf(reason), outcome: textOf(outcome) },
  };
}

function judgeOf({ state, score, reason }: JsonObject): JudgeRecord {
  return { state: textOf(state) ?? 'unavailable', score: numberOf(score), reason: textOf(reason) };
}

/** The results of a list on a scorecard, by their keys, in its order. */
function byKey<T>(list: unknown, read: (entry: JsonObject) => T): Record<string, T> {
  if (!Array.isArray(list)) return {};
  return Object.fromEntries(
    list.flatMap((entry: unknown) => {
      const key = isJsonObject(entry) ? textOf(entry.key) : null;
      return isJsonObject(entry) && key !== null ? [[key, read(entry)] as const] : [];
    }),
  );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
