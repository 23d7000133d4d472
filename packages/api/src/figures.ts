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

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** `512 B`, `1.5 KiB`, `100 MiB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

function longDuration(ms: number): string {
  return ms < HOUR_MS
    ? `${Math.floor(ms / MINUTE_MS)} m ${twoDigits((ms % MINUTE_MS) / SECOND_MS)} s`
    : `${Math.floor(ms / HOUR_MS)} h ${twoDigits((ms % HOUR_MS) / MINUTE_MS)} m`;
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}
