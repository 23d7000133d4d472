export { formatBytes } from '@agentclash/domain';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** `350 ms`, `4.2 s`, `3 m 05 s`, `2 h 10 m`: the form of a duration in the command line and the web app. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_MS) return `${Math.min(SECOND_MS - 1, Math.round(ms))} ms`;
  return ms < MINUTE_MS ? `${(Math.floor(ms / 100) / 10).toFixed(1)} s` : longDuration(ms);
}

/** The same in whole seconds, for a clock that advances. */
export function formatClock(ms: number): string {
  return ms < MINUTE_MS ? `${Math.floor(ms / SECOND_MS)} s` : longDuration(ms);
}

function longDuration(ms: number): string {
  return ms < HOUR_MS
    ? `${Math.floor(ms / MINUTE_MS)} m ${twoDigits((ms % MINUTE_MS) / SECOND_MS)} s`
    : `${Math.floor(ms / HOUR_MS)} h ${twoDigits((ms % HOUR_MS) / MINUTE_MS)} m`;
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}
