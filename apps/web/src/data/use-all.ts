import type { CallOptions, Route } from '@agentclash/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AllItems } from '../design/table-file.js';
import { useSession } from '../session/session.js';
import { allPages, type ItemOf } from './all-pages.js';
import { keyOf } from './use-read.js';

/** All items of a paged list as one array, fetched page by page: for choices and counts. */
export function useAll<R extends Route>(
  route: R,
  options: CallOptions<R>,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<ItemOf<R>[]> {
  const { client } = useSession();
  return useQuery({
    queryKey: [...keyOf(route, options), 'all'],
    queryFn: async ({ signal }) => [...(await allPages({ client, route, options }, { signal })).items],
    enabled,
  });
}

/**
 * The first `max` items of a paged list, fetched page by page, and whether it has more. A list that depends on a status
 * is fetched again for each.
 */
export function useFirst<R extends Route>(
  route: R,
  options: CallOptions<R>,
  { max, status }: { max: number; status?: string },
): UseQueryResult<AllItems<ItemOf<R>>> {
  const { client } = useSession();
  return useQuery({
    queryKey: [...keyOf(route, options), 'first', max, status],
    queryFn: ({ signal }) => allPages({ client, route, options }, { max, signal }),
  });
}
