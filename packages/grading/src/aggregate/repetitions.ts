import {
  estimateScore,
  mean,
  passAtK,
  passHatK,
  type ScoreEstimate,
  wilsonInterval,
} from '../statistics/sample.js';
import type { CaseSummary, PassAtK } from './types.js';

const DRAWS = [1, 2, 3, 5, 10];

/** The k that pass@k and pass^k are reported for. */
export function drawsReported(repetitions: number): number[] {
  return [...new Set([...DRAWS, repetitions])].sort((a, b) => a - b);
}

/** The mean share of passed trials; with one trial per case its `ci` is Wilson's. */
export function passRate(cases: readonly CaseSummary[]): ScoreEstimate {
  const tried = cases.filter((summary) => summary.trials > 0);
  const estimate = estimateScore(tried.map((summary) => summary.successes / summary.trials));
  if (!tried.every((summary) => summary.trials === 1)) return estimate;
  const successes = tried.filter((summary) => summary.successes === 1).length;
  return { ...estimate, ci: wilsonInterval(successes, tried.length) };
}

interface DrawShares {
  readonly pass_at_k: Record<string, PassAtK>;
  readonly pass_hat_k: Record<string, PassAtK>;
}

/** pass@k and pass^k for every k, each over the cases that have k trials. */
export function drawShares(cases: readonly CaseSummary[], draws: readonly number[]): DrawShares {
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
export function flakes(cases: readonly CaseSummary[]): Flakes {
  const repeated = cases.filter((summary) => summary.trials >= 2);
  const flaky = repeated.filter((summary) => summary.successes > 0 && summary.successes < summary.trials);
  return {
    flake_rate: repeated.length === 0 ? null : flaky.length / repeated.length,
    flaky_cases: flaky.map((summary) => summary.case_key),
  };
}
