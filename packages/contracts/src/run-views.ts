import {
  IMPORT_FORMATS,
  IMPORT_GRADINGS,
  MODEL_CALL_MODES,
  OUTCOMES,
  RUN_STATUSES,
} from '@agentclash/domain';
import { z } from 'zod';
import { CaseSubset } from './case-subset.js';
import { PackErrorOfRun } from './pack-error.js';
import { PriceRow } from './provider-accounts.js';
import { Race, RunBudget, Seed, Stopped, StopWhen } from './races.js';
import { JsonObject, Timestamp, Uuid } from './values.js';
import { LaneVariant } from './variants.js';

/** The progress of a run or a run agent, in attempts. */
export const Progress = z.object({
  total: z.number().int(),
  queued: z.number().int(),
  running: z.number().int(),
  finished: z.number().int(),
  /** Those that were never needed: the race was decided, or its budget used up. Absent for none. */
  skipped: z.number().int().optional(),
  /** Those with a scorecard, valid or not. */
  scored: z.number().int(),
  /** Scored ones whose scorecard is not invalid: the attempts that the ranking uses. */
  graded: z.number().int().optional(),
  passed: z.number().int(),
  by_outcome: z.partialRecord(z.enum(OUTCOMES), z.number().int()),
});
export type Progress = z.infer<typeof Progress>;

/** The price of a model in a run. */
export const PinnedModelPrice = z.object({
  provider_key: z.string(),
  model: z.string(),
  /** Null: the price is unknown. */
  source: z.enum(['pack', 'account', 'list']).nullable(),
  /** Of a list price: the last day for which it was known to hold, as YYYY-MM-DD. */
  as_of: z.string().optional(),
  /** US dollars per million tokens; null: unknown. */
  price: PriceRow.nullable(),
});
export type PinnedModelPrice = z.infer<typeof PinnedModelPrice>;

/** Of the times of attempts, in milliseconds, and of how many they are. */
const LaneLatency = z.object({ p50_ms: z.number(), p95_ms: z.number(), attempts: z.number().int() });

export const RunAgent = z.object({
  id: Uuid,
  run_id: Uuid,
  deployment_id: Uuid,
  deployment_revision: z.number().int(),
  /** The deployment's name; of a variant `DEPLOYMENT (VARIANT)`. */
  name: z.string(),
  variant: LaneVariant.optional(),
  kind: z.string(),
  /** As of a run, without `paused`. */
  status: z.enum(RUN_STATUSES).exclude(['paused']).optional(),
  progress: Progress,
  /** The prices that its costs are counted at, of each model that it calls, as they were when the run was created. */
  prices: z.array(PinnedModelPrice).optional(),
  /** Mean over the attempts scored so far; null before the first. */
  overall_so_far: z.number().nullable(),
  /** Times of its attempts, at most of the first 5,000, in milliseconds; only of a run that has ended, where any is known. */
  latency: LaneLatency.optional(),
  tally: z
    .object({
      /** Scored attempts that passed or failed; that have an overall. */
      judged: z.number().int(),
      graded: z.number().int(),
      /** The usage of models by all deliveries that have reported their totals. */
      tokens: z.number(),
      /** In US dollars. Null: the cost of at least one of them is unknown. */
      cost_usd: z.number().nullable(),
      /** The known part of a cost that is unknown; absent where no part is known. */
      cost_at_least_usd: z.number().optional(),
      /**
       * Of an agent with skipped or cancelled attempts: those that ended by themselves at a known cost, at most of the first
       * 2,000, and what the latest delivery of each cost, together. Their mean is what another attempt would have cost.
       */
      known_costs: z.object({ attempts: z.number().int(), usd: z.number() }).optional(),
      /** Attempts of a race that were cancelled before they called a model: they cost nothing. Absent for none. */
      not_run: z.number().int().optional(),
    })
    .optional(),
});
export type RunAgent = z.infer<typeof RunAgent>;

/** The part of a run's agent that lists show. */
const RunContender = z.object({
  id: Uuid,
  deployment_id: Uuid.optional(),
  name: z.string(),
  /** Scored attempts that passed or failed, and how many of them passed. */
  judged: z.number().int(),
  passed: z.number().int(),
  overall_so_far: z.number().nullable(),
  /** In US dollars, of all deliveries so far. Null: the cost of at least one of them is unknown. */
  cost_usd: z.number().nullable().optional(),
  /** The known part of a cost that is unknown; absent where no part is known. */
  cost_at_least_usd: z.number().optional(),
  /** In the run's ranking; null before there is one. Agents that nothing separates share a rank. */
  rank: z.number().int().nullable(),
});

export const Run = z.object({
  id: Uuid,
  /** Within its workspace, from 1 in the order of creation; a number is used once. Absent for a run without a server. */
  number: z.number().int().optional(),
  workspace_id: Uuid,
  name: z.string().nullable(),
  /** Remarks of its users; absent without any. */
  note: z.string().optional(),
  status: z.enum(RUN_STATUSES),
  challenge_pack_version_id: Uuid,
  evaluation_spec_id: Uuid,
  pack: z.object({ slug: z.string(), name: z.string(), version_number: z.number().int() }),
  input_set: z.object({ id: Uuid, key: z.string() }),
  /** Of a draft of a pack: in no list, compared with no other run, and deleted a day after its end. */
  draft: z.boolean().optional(),
  /** Absent when it is of all cases of the input set. */
  case_subset: CaseSubset.optional(),
  repetitions: z.number().int(),
  max_concurrency: z.number().int().nullable(),
  limits: JsonObject,
  race_context: z.boolean().optional(),
  race_context_min_step_gap: z.number().int().optional(),
  /** Attempts were run again because of their result: its scores are not comparable with others. */
  selective_retry: z.boolean().optional(),
  /** Set when its attempts were run elsewhere and imported; with the digest of the imported bytes. */
  imported: z
    .object({ format: z.enum(IMPORT_FORMATS), sha256: z.string(), grading: z.enum(IMPORT_GRADINGS) })
    .optional(),
  /** How its models were called; absent: live. Results of `replay` and `cache` are no new evidence about the models. */
  model_calls: z.enum(MODEL_CALL_MODES).optional(),
  /** The run whose recorded replies it was served. */
  replay_from: Uuid.optional(),
  stop_when: StopWhen.optional(),
  /** By which the order of cases was drawn; absent: the order of the pack. */
  seed: Seed.optional(),
  /** Why it ended before its last case; absent: it did not. */
  stopped: Stopped.optional(),
  /** Of a run with `stop_when.decided`; not in lists. */
  race: Race.optional(),
  /** Of a run with `stop_when.budget`; not in lists. */
  budget: RunBudget.optional(),
  labels: z.record(z.string(), z.string()),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  /** The errors of the pack that keep attempts from being graded, the most frequent first; absent where there are none. */
  pack_errors: z.array(PackErrorOfRun).optional(),
  /** Why a run with the status `failed` has: `pack_errors` or `nothing_graded`. */
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
  progress: Progress,
  /** In the order in which they were named; in lists alone. */
  agents: z.array(RunContender).optional(),
  created_at: Timestamp,
  created_by: z.string(),
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
});
export type Run = z.infer<typeof Run>;

/** A completed run in the course of the results of a pack or a deployment. */
export const RunTrend = Run.pick({
  id: true,
  number: true,
  name: true,
  pack: true,
  input_set: true,
  selective_retry: true,
  model_calls: true,
  created_at: true,
}).extend({
  /** True when it is of some cases of the input set. */
  is_subset: z.boolean(),
  agents: z.array(
    RunContender.omit({ rank: true }).extend({
      /** Attempts that have ended; those that were skipped are not among them. */
      finished: z.number().int(),
      latency: LaneLatency.optional(),
    }),
  ),
});
export type RunTrend = z.infer<typeof RunTrend>;

/** A run as a retry leaves it. */
export const RetriedRun = Run.extend({
  /** The number of attempts that are run again. */
  retried: z.number().int(),
});
export type RetriedRun = z.infer<typeof RetriedRun>;
