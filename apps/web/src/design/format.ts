import { formatClock as clockText, formatDuration as durationText } from '@agentclash/api/figures';

export { formatBytes } from '@agentclash/api/figures';

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Placeholder for an absent value. */
export const NOTHING = '–';

export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** Such as `12.3K`. */
export function formatCompact(count: number): string {
  return COMPACT.format(count);
}

/** A score of 0 to 1 with three digits. */
export function formatScore(score: number | null | undefined): string {
  return score === null || score === undefined ? NOTHING : score.toFixed(3).replace('-', '−');
}

/** US dollars, with as many digits as small costs need. */
export function formatCost(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return NOTHING;
  if (usd === 0) return '$0';
  if (usd < 0.01) return `$${usd.toPrecision(2)}`;
  return `$${usd.toFixed(2)}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Such as `45 ms`, `3.2 s`, `4 m 05 s`, `2 h 03 m`. */
export function formatDuration(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? NOTHING : durationText(ms);
}

/** The same in whole seconds, for a clock that advances. */
export function formatClock(ms: number | null): string {
  return ms === null ? NOTHING : clockText(ms);
}

/** In the reader's own language and zone. */
export function formatTime(timestamp: string): string {
  return WHEN.format(new Date(timestamp));
}

/** Such as `5 min ago`. */
export function formatAgo(timestamp: string, now = Date.now()): string {
  const ms = Math.max(0, now - Date.parse(timestamp));
  if (ms < MINUTE_MS) return 'just now';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  if (ms < 24 * HOUR_MS) return `${Math.floor(ms / HOUR_MS)} h ago`;
  return `${Math.floor(ms / (24 * HOUR_MS))} d ago`;
}
