import { COMPARISON_VERDICTS, MEASURE_STATES, MODEL_CALL_MODES, type SideMissing } from '@agentclash/domain';
import { z } from 'zod';
import { CaseShare } from './case-subset.js';
import { rpc } from './message.js';
import { RaceComparison } from './races.js';
import { Actor, type FieldsOf, PageQuery, PlainText, page, Timestamp, Uuid } from './values.js';

const figure = z.number().nullable();
const Raw = z.object({ value: z.number(), unit: z.string().nullable() }).nullable();

/** One measure over the cases that both sides have; differences are candidate − baseline, higher is better. */
export const MeasureComparison = z.looseObject({
  state: z.enum(MEASURE_STATES),
  n: z.number().int(),
  baseline: figure,
  candidate: figure,
  mean_difference: figure,
  se: figure,
  /** 95 %, by Student's t. */
  ci: z.tuple([z.number(), z.number()]).nullable(),
  /** The 95 % interval to show: within -1..1, and no zero width where no case differs. */
  interval: z.tuple([z.number(), z.number()]).nullable().optional(),
  /** The interval that holds for all tests of the request together: on one side of 0 iff `p_adjusted` is below 0.05. */
  interval_adjusted: z.tuple([z.number(), z.number()]).nullable().optional(),
  p: figure,
  /** Holm-adjusted over all distinct tests of the request; it decides the verdict. */
  p_adjusted: figure,
  method: z.string().nullable(),
  /** Minimum detectable effect, and the cases that `detect` needs, at 80 % power. */
  mde: figure,
  cases_needed: figure,
  /** The smallest loss that these cases would have shown as `worse` with 80 % power; null when they cannot show any. */
  detectable: figure.optional(),
  verdict: z.enum(COMPARISON_VERDICTS),
  /** The difference is shown to be smaller than `detect`, in both directions: an inconclusive result then means no change. */
  negligible: z.boolean().optional(),
  raw: z.object({ baseline: Raw, candidate: Raw }),
  pairs: z.array(z.object({ case_key: z.string(), baseline: z.number(), candidate: z.number() })),
  /** Further pairs, which differ less. */
  pairs_omitted: z.number().int().optional(),
});
export type MeasureComparison = z.infer<typeof MeasureComparison>;

const MissingReason = z.object({ reason: z.string(), attempts: z.number().int() });

/** Planned attempts of a side without a usable scorecard. */
export const MissingAttempts = z.object({
  planned: z.number().int(),
  attempts: z.number().int(),
  /** The code of an error, else how an attempt ended; empty where only the number is known. */
  reasons: z.array(MissingReason),
  /** The cases that lack most attempts, at most 50. */
  cases: z.array(MissingReason.extend({ case_key: z.string() })),
} satisfies FieldsOf<SideMissing>);
export type MissingAttempts = z.infer<typeof MissingAttempts>;

/** Two run agents, paired by case. */
export const LaneComparison = z.object({
  baseline_run_agent_id: Uuid.nullable(),
  candidate_run_agent_id: Uuid.nullable(),
  comparable: z.boolean(),
  /** Why not: codes; empty when comparable. */
  reasons: z.array(z.string()),
  cases: z.number().int(),
  /** Distinct tests of the request: what p values are adjusted for. */
  tests: z.number().int().optional(),
  detect: z.number(),
  /** Where a race has this pair. Of a run that stopped early it is the only verdict: nothing is tested over such a run. */
  race: RaceComparison.optional(),
  /** Absent when neither side lacks any. */
  missing: z
    .object({ baseline: MissingAttempts.optional(), candidate: MissingAttempts.optional() })
    .optional(),
  overall: MeasureComparison,
  pass: MeasureComparison,
  dimensions: z.record(z.string(), MeasureComparison),
});
export type LaneComparison = z.infer<typeof LaneComparison>;

/** A run as one side of a comparison. */
export const ComparedRun = z.object({
  run_id: Uuid,
  /** As the run's; absent in comparisons of earlier releases. */
  number: z.number().int().optional(),
  name: z.string().nullable(),
  /** Attempts were run again because of their result. */
  selective_retry: z.boolean(),
  /** Its attempts were run elsewhere and imported. */
  imported: z.boolean().optional(),
  /** Set when the run is not of all cases of its input set. */
  case_share: CaseShare.optional(),
  /** Set when replies of models were served instead of called for: `replay` or `cache`. */
  model_calls: z.enum(MODEL_CALL_MODES).optional(),
  agents: z.array(z.object({ run_agent_id: Uuid, name: z.string() })),
});
export type ComparedRun = z.infer<typeof ComparedRun>;

export const RunComparison = z.object({
  baseline: ComparedRun,
  candidate: ComparedRun,
  /** One per requested lane. */
  comparisons: z.array(LaneComparison),
});
export type RunComparison = z.infer<typeof RunComparison>;

/** A run: its id, or the name of a baseline of the other run's pack and input set. */
const RunReference = PlainText.trim().min(1).max(128);
/** A run agent: its id, or its name within the run. */
export const LaneReference = PlainText.trim().min(1).max(200);
export const BaselineName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 of A to Z, a to z, digits, ".", "_" and "-"');

/** The runs to compare; of runs with several agents the lanes must be named. */
export const ComparisonQuery = z.object({
  baseline: RunReference,
  candidate: RunReference,
  /** Lanes that both runs have under the same name, separated by commas: each is compared with its namesake. */
  agents: PlainText.max(4_096).optional(),
  baseline_agent: LaneReference.optional(),
  candidate_agent: LaneReference.optional(),
  /** The difference that `cases_needed` is counted for. */
  detect: z.number().gt(0).max(1).optional(),
});
export type ComparisonQuery = z.infer<typeof ComparisonQuery>;

const inWorkspace = { workspace_id: Uuid };

export const StoredComparison = RunComparison.extend({ id: Uuid, created_at: Timestamp });
export type StoredComparison = z.infer<typeof StoredComparison>;

export const comparisons = {
  /**
   * Fails with `not_found` for a run, a baseline or a lane that is not there, and with `invalid_input` when `agents` and
   * single lanes are both named.
   */
  compare: rpc('comparisons.v1.compare', {
    input: ComparisonQuery.extend(inWorkspace),
    output: RunComparison,
    timeoutMs: 20_000,
  }),
  /** A comparison that a gate decided on, as it was then. */
  get: rpc('comparisons.v1.get', {
    input: z.object({ ...inWorkspace, comparison_id: Uuid }),
    output: StoredComparison,
  }),
};

export const BaselineSpec = z.strictObject({
  run_id: Uuid,
  /** The lane, by id or name; needed where candidates have several. */
  agent: LaneReference.optional(),
  /** Fails unless this is the run to replace; null: unless there is none. Without it any run is replaced. */
  replaces: Uuid.nullable().optional(),
});
export type BaselineSpec = z.infer<typeof BaselineSpec>;

/** A bookmark of an accepted run: one for each pack, input set and name. */
export const Baseline = z.object({
  name: z.string(),
  /** The slug of its run's pack, and the key of its run's input set. */
  pack: z.string().optional(),
  input_set: z.string().optional(),
  run_id: Uuid,
  run_agent_id: Uuid.nullable(),
  agent_name: z.string().nullable(),
  updated_at: Timestamp,
  updated_by: z.string(),
});
export type Baseline = z.infer<typeof Baseline>;

/** Which of several baselines of one name. */
const ofRuns = {
  pack: PlainText.min(1).max(128).optional(),
  input_set: PlainText.min(1).max(128).optional(),
};
const ofBaseline = z.object({ ...inWorkspace, name: BaselineName });
const oneBaseline = ofBaseline.extend(ofRuns);

/** Which baseline, where several packs or input sets have one of that name. */
export const BaselineScope = z.strictObject(ofRuns);

export const baselines = {
  /**
   * Sets or moves the one of the run's pack and input set. Fails with `not_found` for a run or lane that is not there,
   * and with `conflict` for a run that cannot be measured against (not over, cancelled, failed, selectively retried, not
   * scored) or where `replaces` names another run than the current one.
   */
  set: rpc('baselines.v1.set', {
    input: ofBaseline.extend({ spec: BaselineSpec, actor: Actor }),
    output: Baseline.extend({
      /** The previous run of the name; null for none. */
      replaced_run_id: Uuid.nullable().optional(),
    }),
  }),
  /** Fails with `invalid_input` when several baselines have the name. */
  get: rpc('baselines.v1.get', { input: oneBaseline, output: Baseline }),
  /** By name, then by pack and input set. */
  list: rpc('baselines.v1.list', {
    input: PageQuery.extend({ ...inWorkspace, ...ofRuns, name: PlainText.optional() }),
    output: page(Baseline),
  }),
  /** Fails with `invalid_input` when several baselines have the name. */
  remove: rpc('baselines.v1.remove', { input: oneBaseline, output: z.object({}) }),
};
