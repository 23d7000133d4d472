import type { Strategy } from '@agentclash/challengepack';
import type { Validity } from '../scorecard/types.js';
import { mean, passAtK, passHatK, type ScoreEstimate, wilsonInterval } from '../statistics/sample.js';
import type { AttemptFacts } from './attempt-facts.js';
import { meanRaw, summarizeCases } from './cases.js';
import { countedAttempts, estimateCases, type StoppedLane } from './stopped.js';
import type { CaseSummary, DimensionEstimate, PassAtK, RunAgentScorecard } from './types.js';
import { runAgentVerdict } from './verdict.js';

export interface AggregateInput {
  readonly strategy: Strategy;
  readonly pass_threshold: number | undefined;
  readonly max_missing_share?: number | undefined;
  /** Dimension and gate keys in declaration order. */
  readonly dimensions: readonly string[];
  readonly gates: readonly string[];
  /** Attempts with a scorecard, whatever its validity. */
  readonly attempts: readonly AttemptFacts[];
  readonly planned_attempts: number;
  /** The k of pass@k and pass^k. */
  readonly draws: readonly number[];
  /** For a lane of a race that stopped before its last case. Attempts of later cases do not count. */
  readonly stopped?: StoppedLane | undefined;
}

const MAX_MISSING_SHARE_DEFAULT = 0.05;

/** Attempts into one run agent: every mean is over cases, every interval clustered by case. */
export function aggregateAttempts(input: AggregateInput): RunAgentScorecard {
  const { stopped } = input;
  const usable = countedAttempts(input.attempts, stopped).filter((attempt) => attempt.validity !== 'invalid');
  const cases = summarizeCases(usable, input);
  const overall = estimateCases(cases, (summary) => summary.overall, stopped);
  const gates = gatesHeld(input.gates, usable);
  const missing = {
    missing_share: missingShare(usable.length, input.planned_attempts),
    max_missing_share: input.max_missing_share ?? MAX_MISSING_SHARE_DEFAULT,
  };
  return {
    strategy: input.strategy,
    ...runAgentVerdict({ ...input, ...missing, usable, overall: overall.mean, gates }),
    validity: runAgentValidity(usable, input.planned_attempts),
    ...missing,
    planned_attempts: input.planned_attempts,
    usable_attempts: usable.length,
    overall,
    pass_rate: passRate(cases, stopped),
    dimensions: Object.fromEntries(
      input.dimensions.map((key) => [key, estimateDimension(cases, key, stopped)]),
    ),
    gates,
    ...drawShares(cases, input.draws),
    ...flakes(cases),
    cases,
  };
}

function estimateDimension(
  cases: readonly CaseSummary[],
  key: string,
  stopped: StoppedLane | undefined,
): DimensionEstimate {
  return {
    ...estimateCases(cases, (summary) => summary.dimensions[key] ?? null, stopped),
    raw: meanRaw(cases.flatMap((summary) => summary.raw[key] ?? [])),
  };
}

function runAgentValidity(usable: readonly AttemptFacts[], planned: number): Validity {
  if (usable.length === 0) return 'invalid';
  const isWhole = usable.length >= planned && usable.every((attempt) => attempt.validity === 'valid');
  return isWhole ? 'valid' : 'degraded';
}

function missingShare(usable: number, planned: number): number {
  return planned === 0 ? 0 : 1 - usable / planned;
}

/** Per gate: false once it was below in a usable attempt, else null once it was unavailable, else true. */
function gatesHeld(
  gates: readonly string[],
  usable: readonly AttemptFacts[],
): Record<string, boolean | null> {
  return Object.fromEntries(
    gates.map((gate) => [gate, held(usable.map((facts) => facts.gates[gate] ?? null))]),
  );
}

function held(outcomes: readonly (boolean | null)[]): boolean | null {
  if (outcomes.includes(false)) return false;
  return outcomes.length === 0 || outcomes.includes(null) ? null : true;
}

const DRAWS = [1, 2, 3, 5, 10];

/** The k that pass@k and pass^k are reported for. */
export function drawsReported(repetitions: number): number[] {
  return [...new Set([...DRAWS, repetitions])].sort((a, b) => a - b);
}

/** The mean share of passed trials; with one trial per case its `ci` is Wilson's. */
export function passRate(cases: readonly CaseSummary[], stopped?: StoppedLane): ScoreEstimate {
  const tried = cases.filter((summary) => summary.trials > 0);
  const estimate = estimateCases(tried, (summary) => summary.successes / summary.trials, stopped);
  if (stopped !== undefined || !tried.every((summary) => summary.trials === 1)) return estimate;
  const successes = tried.filter((summary) => summary.successes === 1).length;
  return { ...estimate, ci: wilsonInterval(successes, tried.length) };
}

interface DrawShares {
  readonly pass_at_k: Record<string, PassAtK>;
  readonly pass_hat_k: Record<string, PassAtK>;
}

/** pass@k and pass^k for every k, each over the cases that have k trials. */
function drawShares(cases: readonly CaseSummary[], draws: readonly number[]): DrawShares {
  return {
    pass_at_k: Object.fromEntries(draws.map((k) => [k, shareOver(cases, k, passAtK)])),
    pass_hat_k: Object.fromEntries(draws.map((k) => [k, shareOver(cases, k, passHatK)])),
  };
}

function shareOver(cases: readonly CaseSummary[], k: number, share: typeof passAtK): PassAtK {
  const values = cases.flatMap((summary) => share(summary.successes, summary.trials, k) ?? []);
  return { value: mean(values), cases: values.length };
}

interface Flakes {
  readonly flake_rate: number | null;
  readonly flaky_cases: string[];
}

/** Cases that both passed and failed, and their share of the cases with several trials. */
function flakes(cases: readonly CaseSummary[]): Flakes {
  const repeated = cases.filter((summary) => summary.trials >= 2);
  const flaky = repeated.filter((summary) => summary.successes > 0 && summary.successes < summary.trials);
  return {
    flake_rate: repeated.length === 0 ? null : flaky.length / repeated.length,
    flaky_cases: flaky.map((summary) => summary.case_key),
  };
}
