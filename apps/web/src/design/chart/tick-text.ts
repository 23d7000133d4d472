import { formatDuration } from '../format.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** US dollars at a tick, with all its digits: those of a price would make adjacent ticks the same. */
export function costTick(usd: number): string {
  return `$${digits(usd)}`;
}

/** A time at a tick, with all its digits. */
export function durationTick(ms: number): string {
  if (ms < SECOND_MS) return `${digits(ms)} ms`;
  return ms < MINUTE_MS ? `${digits(ms / SECOND_MS)} s` : formatDuration(ms);
}

/** Without the rounding errors of steps, and without an exponent. */
function digits(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 6, useGrouping: false });
}
