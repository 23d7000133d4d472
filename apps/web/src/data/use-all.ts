import type { CallArguments, CallOptions, Route } from '@agentclash/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.js';
import type { ItemOf, PageOf } from './use-pages.js';
import { keyOf } from './use-read.js';

/** The largest page that the server returns. */
const PAGE = 200;

/** All items of a paged list as one array, fetched page by page: for choices and counts. */
export function useAll<R extends Route>(
  route: R,
  options: CallOptions<R>,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<ItemOf<R>[]> {
  const { client } = useSession();
  return useQuery({
    queryKey: [...keyOf(route, options), 'all'],
    queryFn: async ({ signal }) => {
      const { query } = options as { query?: object };
      const items: ItemOf<R>[] = [];
      let cursor: string | null | undefined;
      do {
        const call = { ...options, query: { ...query, limit: PAGE, ...(cursor && { cursor }) }, signal };
        const result: unknown = await client.call(route, ...([call] as unknown[] as CallArguments<R>));
        const page = result as PageOf<ItemOf<R>>;
        items.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor);
      return items;
    },
    enabled,
  });
}
