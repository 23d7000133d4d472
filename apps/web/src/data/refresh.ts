import { ApiError } from '@agentclash/api';

/** How soon an answer that could not be had is asked for again. */
const RETRY_MS = 5_000;

/** Milliseconds until an answer is asked for again; `false` for never, and a function decides by what is known. */
export type Refresh<Data> = number | false | ((data: Data | undefined) => number | false);

/** Whether an error may pass by itself. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unavailable' || error.code === 'rate_limited');
}

interface Known<Data> {
  state: { data: Data | undefined; error: unknown };
}

/** What may pass is asked again until it has; what was refused is asked only by hand. */
export function refreshOf<Data>(interval: Refresh<Data>): (query: Known<Data>) => number | false {
  return ({ state: { data, error } }) => {
    if (isPassing(error)) return RETRY_MS;
    if (error && data === undefined) return false;
    return typeof interval === 'function' ? interval(data) : interval;
  };
}
