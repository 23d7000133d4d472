import type { Scale } from './attacks/attack.js';
import { ATTACKS, type AttackKey } from './attacks.js';
import type { Attacked, Observed, Tenants } from './tenants.js';

/**
 * The permitted cost of another workspace: times the run's own time, and the API's p99. Where that is slow alone,
 * because the machine has other work, as many times that.
 */
export const BOUNDS = { ratioMax: 2, p99MsMax: 1_000 } as const;

/** The victim's run alone, then under an attack. */
export interface Trial {
  alone: Observed;
  attacked: Attacked;
}

/** An attack and the best of its trials. */
export interface Measured {
  key: AttackKey;
  trials: number;
  best: Trial;
  ratio: number;
  /** Of all trials: what must never be, and the bounds that none has kept; empty when nothing is wrong. */
  missed: readonly string[];
}

export interface MeasureOptions {
  tenants: Tenants;
  key: AttackKey;
  scale: Scale;
  /** A machine has other work too: trials are repeated until one keeps the bounds, at most so often. */
  triesMax: number;
}

export async function measured({ tenants, key, scale, triesMax }: MeasureOptions): Promise<Measured> {
  const trials: Trial[] = [];
  do {
    const alone = await tenants.alone();
    trials.push({ alone, attacked: await tenants.under(ATTACKS[key], scale) });
  } while (trials.length < triesMax && !trials.some(keepsBounds));
  return measuredOf(key, trials);
}

export function measuredOf(key: AttackKey, trials: readonly Trial[]): Measured {
  const [best, ...others] = [...trials].sort((left, right) => excessOf(left) - excessOf(right));
  if (best === undefined) throw new Error(`there is no trial of ${key}`);
  const violations = [best, ...others].flatMap(violationsOf);
  return {
    key,
    trials: trials.length,
    best,
    ratio: ratioOf(best),
    missed: [...violations, ...missedOf(best)],
  };
}

function ratioOf({ alone, attacked }: Trial): number {
  return attacked.seconds / alone.seconds;
}

/** How far beyond its bounds; at most 1 when it keeps them. */
function excessOf(trial: Trial): number {
  return Math.max(ratioOf(trial) / BOUNDS.ratioMax, trial.attacked.api.p99Ms / p99MsMaxOf(trial));
}

function p99MsMaxOf({ alone }: Trial): number {
  return Math.max(BOUNDS.p99MsMax, BOUNDS.ratioMax * alone.api.p99Ms);
}

function keepsBounds(trial: Trial): boolean {
  return violationsOf(trial).length === 0 && missedOf(trial).length === 0;
}

function violationsOf({ alone, attacked }: Trial): readonly string[] {
  return [...alone.violations, ...attacked.violations];
}

function missedOf(trial: Trial): string[] {
  const ratio = ratioOf(trial);
  const { p99Ms } = trial.attacked.api;
  return [
    ...(ratio > BOUNDS.ratioMax ? [`the run took ${ratio.toFixed(2)} times its time alone`] : []),
    ...(p99Ms > p99MsMaxOf(trial) ? [`the API's p99 was ${Math.round(p99Ms)} ms`] : []),
  ];
}

const HEAD = ['attack', 'alone', 'attacked', 'ratio', 'API p50', 'p99', 'p99 alone', 'the attacker got'];

/** A line for each attack, below it what was missed. */
export function tableOf(results: readonly Measured[]): string {
  const rows = [HEAD, ...results.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const missed = results.flatMap(({ key, missed }) => missed.map((each) => `MISSED ${key}: ${each}`));
  return [...lines, ...missed].join('\n');
}

/** For programs. */
export function documentOf(results: readonly Measured[]): object {
  return {
    measured_at: new Date().toISOString(),
    bounds: { ratio: BOUNDS.ratioMax, api_p99_ms: BOUNDS.p99MsMax },
    attacks: Object.fromEntries(results.map((result) => [result.key, entryOf(result)])),
  };
}

function entryOf({ trials, ratio, missed, best: { alone, attacked } }: Measured): object {
  return {
    trials,
    alone_seconds: alone.seconds,
    attacked_seconds: attacked.seconds,
    ratio,
    api_requests: attacked.api.requests,
    api_p50_ms: attacked.api.p50Ms,
    api_p99_ms: attacked.api.p99Ms,
    alone_api_p99_ms: alone.api.p99Ms,
    outcomes: attacked.outcomes,
    missed,
  };
}

function rowOf({ key, ratio, best: { alone, attacked } }: Measured): string[] {
  const got = Object.entries(attacked.outcomes).map(([outcome, times]) => `${times} × ${outcome}`);
  return [
    key,
    `${alone.seconds.toFixed(2)} s`,
    `${attacked.seconds.toFixed(2)} s`,
    `${ratio.toFixed(2)}×`,
    `${Math.round(attacked.api.p50Ms)} ms`,
    `${Math.round(attacked.api.p99Ms)} ms`,
    `${Math.round(alone.api.p99Ms)} ms`,
    got.join(', '),
  ];
}
