import type { CallArguments, CallOptions, ResponseOutput, Route } from '@agentclash/api';
import { type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.js';
import { type Refresh, refreshOf } from './refresh.js';

export interface ReadSettings<Data> {
  /** Refresh interval in milliseconds, or `false`. */
  refetchInterval?: Refresh<Data>;
  enabled?: boolean;
}

/** The cached response of a route, kept up to date: `{data, error, isPending, refetch, …}`. */
export function useRead<R extends Route>(
  route: R,
  options: CallOptions<R>,
  settings: ReadSettings<ResponseOutput<R>> = {},
): UseQueryResult<ResponseOutput<R>> {
  const { client } = useSession();
  const { refetchInterval = false, enabled } = settings;
  return useQuery<ResponseOutput<R>>({
    queryKey: keyOf(route, options),
    queryFn: ({ signal }) => client.call(route, ...([{ ...options, signal }] as CallArguments<R>)),
    ...(enabled === undefined ? {} : { enabled }),
    refetchInterval: refreshOf(refetchInterval),
  });
}

/** Cache key of a response; `[route.path]` alone matches all responses of a route. */
export function keyOf(route: Route, options: object = {}): QueryKey {
  const { params = {}, query = {} } = options as { params?: object; query?: object };
  return [route.path, params, query];
}
