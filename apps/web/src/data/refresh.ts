import { ApiError } from '@agentclash/api';

/** Delay before a failed request is repeated. */
const RETRY_MS = 5_000;

/** Milliseconds until the next request; `false` for never; a function decides by the cached data. */
export type Refresh<Data> = number | false | ((data: Data | undefined) => number | false);

/** True when an error is temporary. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unavailable' || error.code === 'rate_limited');
}

interface Known<Data> {
  state: { data: Data | undefined; error: unknown };
}

/** A request that failed temporarily is repeated until it succeeds; a rejected one only by hand. */
export function refreshOf<Data>(interval: Refresh<Data>): (query: Known<Data>) => number | false {
  return ({ state: { data, error } }) => {
    if (isPassing(error)) return RETRY_MS;
    if (error && data === undefined) return false;
    return typeof interval === 'function' ? interval(data) : interval;
  };
}
