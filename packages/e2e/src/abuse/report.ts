import { BOUNDS, type Measured } from './measure.js';

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
