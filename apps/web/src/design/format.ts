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

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Such as `45 ms`, `3.2 s`, `4 m 05 s`, `2 h 03 m`. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return NOTHING;
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < MINUTE_MS) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} m ${two((ms % MINUTE_MS) / SECOND_MS)} s`;
  return `${Math.floor(ms / HOUR_MS)} h ${two((ms % HOUR_MS) / MINUTE_MS)} m`;
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
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
