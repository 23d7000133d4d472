import type { Case, EvaluationSpec, Phase } from '@agentclash/challengepack';
import type { ExecutionMode } from '@agentclash/domain';
import { TURNS_MAX } from './conversation.js';
import { type LimitSources, resolveLimits } from './limits.js';

/** The parts of a pack on which the size of its races depends. Rows of data files may be among the cases. */
export interface EstimatedPack {
  /** An agent of `prompt_eval` calls its model once. Default `native`. */
  mode?: ExecutionMode;
  spec: EvaluationSpec;
  cases: Iterable<Pick<Case, 'case_timeout_seconds' | 'user_simulator'>>;
}

export interface EstimateOptions extends Pick<LimitSources, 'run' | 'profile'> {
  /** Agents. Default 1. */
  lanes?: number;
  /** Default 1. */
  repetitions?: number;
  /** Attempts at the same time, where that is known. */
  concurrency?: number;
}

/** Costs that nothing limits, and times that no limit ends. */
export type UnlimitedPart = 'agent_tokens' | 'agent_cost' | 'judge_cost' | 'user_cost' | 'human_turns';

/** The most that the limits of a pack allow for a race: an upper bound, and no prediction. Retried calls are not counted. */
export interface RaceEstimate {
  cases: number;
  attempts: number;
  /** Calls of models: by agents that are models, by simulated users, and by judges. */
  calls_max: { agents: number; users: number; judges: number };
  /** Of the agents; null where nothing limits them. */
  tokens_max: number | null;
  /** Null where a part of the cost is not limited. */
  cost_max_usd: number | null;
  /** Of all attempts one after the other, with the tests and scripts that grade them, and without waits for people. */
  seconds_max: number;
  /** The same with several attempts at the same time; null where their number is not known. */
  duration_seconds_max: number | null;
  unlimited: UnlimitedPart[];
}

/** Bounds a race by the limits of its pack, profile and run. Reads each case once. */
export function estimateRace(
  { mode, spec, cases }: EstimatedPack,
  options: EstimateOptions = {},
): RaceEstimate {
  const { lanes = 1, repetitions = 1, concurrency, run, profile } = options;
  const sources: LimitSources = {
    pack: spec.runtime_limits,
    ...(run && { run }),
    ...(profile && { profile }),
  };
  const each = lanes * repetitions;
  const sums = { cases: 0, userCalls: 0, seconds: 0, longest: 0, humans: 0 };
  for (const { case_timeout_seconds: caseTimeoutSeconds = 0, user_simulator: simulator } of cases) {
    const phases = simulator?.phases ?? [];
    const limits = resolveLimits({ ...sources, caseTimeoutSeconds });
    const seconds = limits.run_timeout_seconds + gradingSeconds(spec, phases);
    sums.cases += 1;
    sums.userCalls += userCalls(phases, simulator?.max_turns || TURNS_MAX);
    sums.seconds += seconds;
    sums.longest = Math.max(sums.longest, seconds);
    sums.humans += phases.filter(({ actor }) => actor === 'human').length;
  }
  const attempts = sums.cases * each;
  const seconds_max = sums.seconds * each;
  const { max_iterations, max_total_tokens, max_cost_usd } = resolveLimits(sources);
  const { max_calls_usd: judgeUsd } = spec.scorecard.judge_limits;
  // A judge that ranks the agents of a case sees them together.
  const judgeCalls = sumOf(
    spec.llm_judges,
    (judge) => repliesOf(judge, spec) * (judge.mode === 'n_wise' ? sums.cases * repetitions : attempts),
  );
  const unlimited: UnlimitedPart[] = [
    ...(max_total_tokens === null ? (['agent_tokens'] as const) : []),
    ...(max_cost_usd === null ? (['agent_cost'] as const) : []),
    ...(judgeCalls > 0 && judgeUsd === 0 ? (['judge_cost'] as const) : []),
    ...(sums.userCalls > 0 ? (['user_cost'] as const) : []),
    ...(sums.humans > 0 ? (['human_turns'] as const) : []),
  ];
  const isCostLimited = !unlimited.some((part) => part.endsWith('_cost'));
  return {
    cases: sums.cases,
    attempts,
    calls_max: {
      agents: (mode === 'prompt_eval' ? 1 : max_iterations) * attempts,
      users: sums.userCalls * each,
      judges: judgeCalls,
    },
    tokens_max: max_total_tokens === null ? null : max_total_tokens * attempts,
    cost_max_usd: isCostLimited ? ((max_cost_usd ?? 0) + (judgeCalls > 0 ? judgeUsd : 0)) * attempts : null,
    seconds_max,
    duration_seconds_max:
      concurrency === undefined ? null : boundOf({ total: seconds_max, longest: sums.longest, concurrency }),
    unlimited,
  };
}

/** No schedule that keeps every slot busy takes longer (Graham's bound of list scheduling). */
function boundOf({ total, longest, concurrency }: { total: number; longest: number; concurrency: number }) {
  // One division: rounding must not make the bound of more slots the larger one.
  return Math.ceil((total + longest * (concurrency - 1)) / concurrency);
}

function repliesOf(
  { models, samples }: EvaluationSpec['llm_judges'][number],
  { scorecard: { judge_limits: limits } }: EvaluationSpec,
): number {
  return models.length * Math.min(samples, limits.max_samples_per_judge || samples);
}

function userCalls(phases: readonly Phase[], turnsMax: number): number {
  const wanted = sumOf(phases, ({ actor, max_turns }) => (actor === 'llm' ? max_turns || turnsMax : 0));
  return Math.min(wanted, turnsMax);
}

/** Tests that are the gate of phases run after each of them; whatever else grades runs once. */
function gradingSeconds({ validators }: EvaluationSpec, phases: readonly Phase[]): number {
  const milliseconds = sumOf(validators, ({ key, type, config }) => {
    if (type !== 'code_execution' && type !== 'script') return 0;
    const gates = phases.filter(({ gate }) => gate?.validator === key).length;
    return config.timeout_ms * Math.max(1, gates);
  });
  return milliseconds / 1_000;
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
