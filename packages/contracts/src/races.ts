import {
  ALPHA_MAX,
  ALPHA_MIN,
  MARGIN_MAX,
  PAIR_VERDICTS,
  RACE_GOALS,
  RACE_METRICS,
  RUN_STOP_REASONS,
  SEED_MAX,
} from '@agentclash/domain';
import { z } from 'zod';
import { rpc } from './message.js';
import { Uuid } from './values.js';

/** Sequential races (sequential 1): a run that ends as soon as its verdicts are certain, or its budget is used up. */

/** Fixes the order in which the cases of a run are raced. */
export const Seed = z.number().int().min(0).max(SEED_MAX);

const DecidedFields = z.strictObject({
  /** `ranking`: every pair of lanes; `best`: which lane is best; `baseline`: each lane against the baseline. */
  goal: z.enum(RACE_GOALS).default('ranking'),
  /** An attempt's passed as 1 or 0, or its overall score. */
  metric: z.enum(RACE_METRICS).default('pass'),
  /** The chance that any verdict of the run is false. */
  alpha: z.number().min(ALPHA_MIN).max(ALPHA_MAX).default(0.05),
  /** Lanes that differ by less are equivalent. */
  margin: z.number().min(0).max(MARGIN_MAX).default(0),
  /** A run agent of a finished run on the same version, input set and spec; only with the goal `baseline`. */
  baseline: Uuid.optional(),
});

/** The question that a race decides, and its certainty. */
export const Decided = DecidedFields.refine(
  ({ goal, baseline }) => goal !== 'baseline' || baseline !== undefined,
  {
    path: ['baseline'],
    message: 'is required with the goal baseline: the id of a run agent of a finished run',
  },
).refine(({ goal, baseline }) => baseline === undefined || goal === 'baseline', {
  path: ['baseline'],
  message: 'needs the goal baseline',
});
export type Decided = z.infer<typeof Decided>;

/** The run ends as completed when one of these is used up. */
const Budget = z
  .strictObject({
    /** US dollars of all calls of models together, at the prices of the pack and the accounts. */
    usd: z.number().positive().max(1_000_000).optional(),
    /** Tokens of all calls of models together, of requests and replies. */
    tokens: z.number().int().positive().max(1_000_000_000_000).optional(),
    /** Attempts that are dispatched at most; further deliveries of one do not count. */
    attempts: z.number().int().positive().max(100_000).optional(),
  })
  .refine(({ usd, tokens, attempts }) => (usd ?? tokens ?? attempts) !== undefined, {
    message: 'must have usd, tokens, attempts or several of them',
  });

/** When a run ends before its last case. */
export const StopWhen = z
  .strictObject({ decided: Decided.optional(), budget: Budget.optional() })
  .refine(({ decided, budget }) => decided !== undefined || budget !== undefined, {
    message: 'must have decided, budget or both',
  });
export type StopWhen = z.infer<typeof StopWhen>;

/** Two lanes as far as the evidence goes. Figures are of the first minus the second, in the metric's unit. */
export const RacePair = z.object({
  a: Uuid,
  /** A lane of the run, or the baseline. */
  b: Uuid,
  /** Null while the pair is open. */
  verdict: z.enum(PAIR_VERDICTS).nullable(),
  /** Mean difference of the cases so far; null before the first. */
  difference: z.number().nullable(),
  /** Bounds of the difference over all cases, certain but for the race's alpha. */
  lower: z.number(),
  upper: z.number(),
  /** Cases of the evidence; of all that count. */
  cases: z.number().int(),
  population: z.number().int(),
  /** Cases without a usable attempt of either lane. */
  missing: z.number().int(),
});
export type RacePair = z.infer<typeof RacePair>;

/** One lane of a race by itself: the mean of its cases, with bounds as of a pair. */
export const RaceLane = z.object({
  run_agent_id: Uuid,
  mean: z.number().nullable(),
  lower: z.number(),
  upper: z.number(),
  cases: z.number().int(),
  population: z.number().int(),
  /** Set once nothing of the goal depends on the lane any more. */
  eliminated: z
    .object({
      /** Cases of the evidence by then. */
      after_cases: z.number().int(),
      /** The lane that was better, where one was. */
      by: Uuid.nullable(),
    })
    .nullable(),
});
export type RaceLane = z.infer<typeof RaceLane>;

/** The verdicts of a race by its evidence so far. */
export const RaceVerdicts = z.object({
  pairs: z.array(RacePair),
  lanes: z.array(RaceLane),
  /** Of the goal `best`: the best lane, or those that nothing separates; empty while it is open. */
  best: z.array(Uuid),
  /** True when nothing of the goal is open. */
  is_decided: z.boolean(),
});
export type RaceVerdicts = z.infer<typeof RaceVerdicts>;

/** A sequential race as readers of its run see it. */
export const Race = RaceVerdicts.extend({
  goal: z.enum(RACE_GOALS),
  metric: z.enum(RACE_METRICS),
  alpha: z.number(),
  margin: z.number(),
  baseline: Uuid.optional(),
  /** Of the input set, or of the subset that the run is of. */
  cases: z.number().int(),
});
export type Race = z.infer<typeof Race>;

/** A part of the budget of a run: reserved are the calls under way, by the most that they may use. */
const Spent = z.object({ limit: z.number(), spent: z.number(), reserved: z.number() });

/** The budget of a run as its readers see it. */
export const RunBudget = z.object({
  usd: Spent.optional(),
  tokens: Spent.optional(),
  attempts: Spent.omit({ reserved: true }).optional(),
});
export type RunBudget = z.infer<typeof RunBudget>;

/** Of a run that was requested with `stop_when`. */
export const Stopped = z.enum(RUN_STOP_REASONS);

/** Two compared lanes as a race decided on them. Figures are candidate − baseline in the race's metric, higher is better. */
export const RaceComparison = z.object({
  /** The run whose race has the pair. */
  run_id: Uuid,
  /** Why that run ended before its last case; absent: it did not. */
  stopped: Stopped.optional(),
  goal: z.enum(RACE_GOALS),
  metric: z.enum(RACE_METRICS),
  /** The chance that any verdict of the race is false, and the pairs that share it. */
  alpha: z.number(),
  pairs: z.number().int(),
  /** Of the candidate: what all cases would have shown. */
  verdict: z.enum(PAIR_VERDICTS),
  difference: z.number().nullable(),
  /** Bounds of the difference over all cases, certain but for alpha. */
  interval: z.tuple([z.number(), z.number()]),
  /** Cases of the evidence; of all that count; without a usable attempt on either side. */
  cases: z.number().int(),
  population: z.number().int(),
  missing: z.number().int(),
});
export type RaceComparison = z.infer<typeof RaceComparison>;

/** The value of a case for a lane: the mean of its usable attempts, in [0, 1]; null without one. */
const BlockValue = z.number().min(0).max(1).nullable();

/** Lanes that a race to a decision may have: pairs grow with their square. */
export const DECIDED_LANES_MAX = 16;

/** Where the discordance of a plan is from. */
export const DISCORDANCE_SOURCES = ['request', 'earlier_runs', 'assumed'] as const;

export const races = {
  /** The verdicts of a race by the evidence so far. A pure function of its input. */
  decide: rpc('races.v1.decide', {
    input: z.object({
      /** Names the race, so that scoring may continue from earlier evidence. */
      run_id: Uuid,
      goal: z.enum(RACE_GOALS),
      metric: z.enum(RACE_METRICS),
      alpha: z.number(),
      margin: z.number(),
      /** Cases of the run. */
      population: z.number().int().min(1),
      /** Values of each lane in the drawn order, up to the first case that is not over for it. */
      lanes: z.array(z.object({ run_agent_id: Uuid, values: z.array(BlockValue) })).min(1),
      /** Of all cases of the run, in the drawn order; with the goal `baseline`. */
      baseline: z.object({ run_agent_id: Uuid, values: z.array(BlockValue) }).optional(),
    }),
    output: RaceVerdicts,
    timeoutMs: 60_000,
  }),
  /**
   * The cases that a race needs for a difference, by simulation. A pure function of its input. Fails with `unavailable`
   * while too many are simulated.
   */
  plan: rpc('races.v1.plan', {
    input: z.object({
      workspace_id: Uuid,
      goal: z.enum(RACE_GOALS),
      alpha: z.number(),
      margin: z.number(),
      /** Racing lanes, without the baseline. */
      lanes: z.number().int().min(1),
      /** N: cases of the run. */
      cases: z.number().int().min(1).max(100_000),
      difference: z.number().gt(0).max(1),
      /** Null: that of the earlier values, else an assumed one. */
      discordance: z.number().min(0).max(1).nullable(),
      /** Values of the lanes, and of the baseline as the last of them, in one order of cases; without lanes that have none. */
      earlier: z.array(z.array(BlockValue)),
      seed: Seed,
    }),
    output: z.object({
      pairs: z.number().int(),
      /** The alpha of a pair. */
      share: z.number(),
      /** Of the pair that differs most, raised to the difference where it is below. */
      discordance: z.number(),
      discordance_source: z.enum(DISCORDANCE_SOURCES),
      /** Of an ordinary comparison with 80 % power; may exceed the cases that there are. */
      fixed_cases: z.number().int(),
      sequential_cases: z.object({ median: z.number().int(), p90: z.number().int() }),
      /** The share of simulated races with a verdict before the last case. */
      early_share: z.number(),
      simulations: z.number().int(),
    }),
    timeoutMs: 30_000,
  }),
};
