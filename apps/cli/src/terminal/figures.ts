import { formatClock, formatDuration } from '@agentclash/api/figures';

export { formatBytes as bytes } from '@agentclash/api/figures';

/** A score or share with three decimals, a dash for none. */
export function score(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : value.toFixed(3);
}

/** `0.812 [0.700, 0.900]`, as far as it is known. */
export function estimate(mean: number | null, interval: readonly [number, number] | null): string {
  return interval === null ? score(mean) : `${score(mean)} [${score(interval[0])}, ${score(interval[1])}]`;
}

/** A dash for none. */
export function duration(ms: number | null | undefined): string {
  return ms === null || ms === undefined || !Number.isFinite(ms) ? '-' : formatDuration(ms);
}

/** The same to whole seconds, for clocks that run. */
export function clock(ms: number | null): string {
  return ms === null || ms < 0 ? '-' : formatClock(ms);
}

/** `812`, `12.3k`, `4.56M`. */
export function count(value: number): string {
  if (value < 10_000) return String(value);
  if (value < 1_000_000) return `${(value / 1_000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(2)}M`;
}

export function dollars(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : `$${value.toFixed(value < 1 ? 4 : 2)}`;
}

/** `2026-03-01 14:05:09 UTC`. */
export function moment(timestamp: string | null | undefined): string {
  if (timestamp === null || timestamp === undefined) return '-';
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? '-' : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

export function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
