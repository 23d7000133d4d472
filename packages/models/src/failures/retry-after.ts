// Bounds a hint; a provider that needs longer repeats it.
const HINT_MS_MAX = 24 * 60 * 60 * 1_000;

/**
 * Whole milliseconds, a day at most, until a `Retry-After` (seconds or an HTTP date) has passed; undefined for other
 * text.
 */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1_000);
  // Only dates begin with a letter; `Date.parse` would accept `-1` or `12 apples` too.
  if (!/^[A-Za-z]{3}/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : bounded(at - nowMs);
}

function bounded(ms: number): number {
  return Math.ceil(Math.min(Math.max(0, ms), HINT_MS_MAX));
}
