import { IMPORT_FORMATS, IMPORT_GRADINGS, LIMIT_KINDS, OUTCOMES } from '@agentclash/domain';
import { z } from 'zod';
import { rpc } from './message.js';
import { RunRequestFields } from './run-request.js';
import { Run } from './run-views.js';
import { Actor, JsonObject, PlainText, Uuid } from './values.js';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
const Key = PlainText.min(1).max(256);
const Code = PlainText.min(1).max(128);
/** Bounds that no attempt reaches: sums over a run stay exact enough, and finite. */
const TOKENS_MAX = 1_000_000_000_000;
const CALLS_MAX = 1_000_000_000;
const COST_USD_MAX = 1_000_000_000;
/** Ten years. */
const LATENCY_MS_MAX = 315_576_000_000;
/** Beyond every such time and count. */
const VALUE_MAX = 1_000_000_000_000_000;
const tokens = z.number().int().min(0).max(TOKENS_MAX);
const calls = z.number().int().min(0).max(CALLS_MAX);
const costUsd = z.number().min(0).max(COST_USD_MAX);
const latencyMs = z.number().min(0).max(LATENCY_MS_MAX);
const value = z.number().min(-VALUE_MAX).max(VALUE_MAX);

/** Attempts that one message, and one request, holds. */
export const IMPORTED_ATTEMPTS_MAX = 200;
/** Lanes and repetitions of an imported run. */
const LANES_MAX = 64;
/** Imports of a workspace that are not complete. */
export const OPEN_IMPORTS_MAX = 10;
const STEPS_MAX = 1_000;
const RESULTS_MAX = 256;
const TEXT_MAX = 131_072;

/** A text as an agent or a tool wrote it. */
const Text = z.string().max(TEXT_MAX);

/** The recorded score of one dimension. */
const ImportedDimension = z.strictObject({
  state: z.enum(['available', 'unavailable', 'error']).default('available'),
  score: z.number().min(0).max(1).nullable(),
  reason: Code.nullable().default(null),
  raw: z
    .strictObject({ value, unit: PlainText.max(32).nullable().default(null) })
    .nullable()
    .default(null),
});

const ImportedValidator = z.strictObject({
  state: z.enum(['scored', 'unavailable', 'error']).default('scored'),
  verdict: z.enum(['pass', 'fail']).nullable().default(null),
  score: z.number().min(0).max(1).nullable().default(null),
  reason: Code.nullable().default(null),
});

const ImportedJudge = z.strictObject({
  state: z.enum(['scored', 'unavailable', 'error']).default('scored'),
  score: z.number().min(0).max(1).nullable(),
  reason: Code.nullable().default(null),
});

function few<Value extends z.ZodType>(value: Value) {
  return z
    .record(Key, value)
    .refine((entries) => Object.keys(entries).length <= RESULTS_MAX, {
      error: `has more than ${RESULTS_MAX} entries`,
    })
    .default({});
}

/** Scores that were given elsewhere, by the keys of the evaluation spec. */
export const ImportedScores = z.strictObject({
  dimensions: few(ImportedDimension),
  validators: few(ImportedValidator),
  judges: few(ImportedJudge),
  metrics: few(z.union([value, z.boolean(), z.null()])),
});
export type ImportedScores = z.infer<typeof ImportedScores>;

const ImportedUsage = z.strictObject({
  input: tokens.nullable().default(null),
  output: tokens.nullable().default(null),
  total: tokens.nullable().default(null),
  cached_input: tokens.nullable().default(null),
});
export type ImportedUsage = z.infer<typeof ImportedUsage>;

/** One step of a trajectory: a reply of a model with the calls of tools that it led to. */
const ImportedStep = z.strictObject({
  text: Text.default(''),
  model: PlainText.max(256).nullable().default(null),
  usage: ImportedUsage.nullable().default(null),
  cost_usd: costUsd.nullable().default(null),
  tool_calls: z
    .array(
      z.strictObject({
        id: PlainText.min(1).max(256),
        name: PlainText.min(1).max(256),
        arguments: JsonObject,
        result: Text.nullable().default(null),
        failed: z.boolean().default(false),
      }),
    )
    .max(128)
    .default([]),
});
export type ImportedStep = z.infer<typeof ImportedStep>;

/** An attempt that was run elsewhere. */
export const ImportedAttempt = z.strictObject({
  lane: Key,
  case_key: Key,
  repetition: z.number().int().min(1).max(100).default(1),
  outcome: z.enum(OUTCOMES).default('completed'),
  limit_kind: z.enum(LIMIT_KINDS).nullable().default(null),
  error_code: Code.nullable().default(null),
  /** Null: it is not known, and nothing can be graded from it. */
  /** Null: unknown, and empty for an agent that gave none. */
  final_output: Text.nullable().default(null),
  steps: z.array(ImportedStep).max(STEPS_MAX).default([]),
  usage: ImportedUsage.nullable().default(null),
  cost_usd: costUsd.nullable().default(null),
  cost_at_least_usd: costUsd.nullable().default(null),
  model_calls: calls.nullable().default(null),
  tool_calls: calls.nullable().default(null),
  latency_ms: latencyMs.nullable().default(null),
  /** Kept in place of grading by the pack; absent: the pack grades what evidence there is. */
  scores: ImportedScores.optional(),
});
export type ImportedAttempt = z.infer<typeof ImportedAttempt>;

const { challenge_pack_version_id, challenge_input_set_id, name, repetitions, labels } =
  RunRequestFields.shape;

/** An imported run: the grid of its lanes, cases and repetitions. */
export const RunImportRequest = z.strictObject({
  challenge_pack_version_id,
  challenge_input_set_id,
  /** Of the input set; default: all its cases. */
  case_keys: RunRequestFields.shape.case_keys,
  lanes: z
    .array(z.strictObject({ name: Key }))
    .min(1)
    .max(LANES_MAX)
    .refine((lanes) => new Set(lanes.map((lane) => lane.name)).size === lanes.length, {
      error: 'must have different names',
    }),
  repetitions,
  source: z.strictObject({
    format: z.enum(IMPORT_FORMATS),
    /** Of the imported bytes: the same source for the same cases is the same run. */
    sha256: Sha256,
  }),
  /** `recorded` keeps recorded scores; with `pack` the pack grades the evidence that there is. */
  grading: z.enum(IMPORT_GRADINGS).default('recorded'),
  name,
  labels,
});
export type RunImportRequest = z.infer<typeof RunImportRequest>;

export const ImportedAttempts = z.strictObject({
  attempts: z.array(ImportedAttempt).min(1).max(IMPORTED_ATTEMPTS_MAX),
});
export type ImportedAttempts = z.infer<typeof ImportedAttempts>;

export const ImportedCount = z.object({
  accepted: z.number().int(),
  /** Attempts that were there before; they stay as they are. */
  repeated: z.number().int(),
});

const ofRun = z.object({ workspace_id: Uuid, run_id: Uuid, actor: Actor });

/** Runs whose attempts were run elsewhere. */
export const runImports = {
  /**
   * Creates the run, or returns the one of the same source that was not cancelled. Fails with `not_found`, `input_set_required`,
   * `invalid_input` (cases), `unsupported_capability` (a security pack), `conflict` (too many open imports),
   * `storage_full`.
   */
  begin: rpc('run_imports.v1.begin', {
    input: z.object({ workspace_id: Uuid, request: RunImportRequest, actor: Actor }),
    output: Run,
  }),
  /**
   * Stores finished attempts. Fails with `invalid_input` for an attempt that the run does not have, and with `conflict`
   * for a run that is no import or has ended.
   */
  add: rpc('run_imports.v1.add', {
    input: ofRun.extend({ request: ImportedAttempts }),
    output: ImportedCount,
    timeoutMs: 30_000,
  }),
  /** Ends the import: attempts that were not imported are missing data. Idempotent. */
  complete: rpc('run_imports.v1.complete', { input: ofRun, output: Run, timeoutMs: 30_000 }),
};
