/** A score or share with three decimals, a dash for none. */
export function score(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : value.toFixed(3);
}

/** `0.812 [0.700, 0.900]`, as far as it is known. */
export function estimate(mean: number | null, interval: readonly [number, number] | null): string {
  return interval === null ? score(mean) : `${score(mean)} [${score(interval[0])}, ${score(interval[1])}]`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** `350 ms`, `4.2 s`, `3 m 05 s`, `2 h 10 m`; a dash for none. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return '-';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m ${twoDigits((ms % MINUTE) / 1_000)} s`;
  return `${Math.floor(ms / HOUR)} h ${twoDigits((ms % HOUR) / MINUTE)} m`;
}

/** The same to whole seconds, for clocks that run. */
export function clock(ms: number | null): string {
  if (ms === null || ms < 0) return '-';
  return ms < MINUTE ? `${Math.floor(ms / 1_000)} s` : duration(ms);
}

/** `812`, `12.3k`, `4.56M`. */
export function count(value: number): string {
  if (value < 10_000) return String(value);
  if (value < 1_000_000) return `${(value / 1_000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(2)}M`;
}

/** `512 B`, `1.5 KiB`, `3.2 MiB`. */
export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
  return `${power === 0 ? value : (value / 1_024 ** power).toFixed(1)} ${units[power]}`;
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

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}
