import type { CallArguments, CallOptions, ResponseOutput, Route } from '@agentclash/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FILE_ROWS_MAX } from '../design/table-file.js';
import { useSession } from '../session/session.js';
import { allPages, type ItemOf, type PageOf } from './all-pages.js';
import { type Refresh, refreshOf } from './refresh.js';
import { keyOf } from './use-read.js';

interface PagesSettings {
  /** As for `useRead`; refreshes all loaded pages. */
  refetchInterval?: Refresh<{ pages: readonly unknown[] }>;
  enabled?: boolean;
  /** Size of the first page, where it should arrive sooner than the others. */
  firstLimit?: number;
}

/** A paged list: the `items` of all loaded pages, the `last` page, and `more`, which loads the next page; undefined after the last. `all` loads every page again, for files. */
export function usePages<R extends Route>(route: R, options: CallOptions<R>, settings: PagesSettings = {}) {
  const { refetchInterval = false, enabled = true, firstLimit } = settings;
  const { client } = useSession();
  const query = useInfiniteQuery({
    queryKey: [...keyOf(route, options), 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { query: filters } = options as { query?: object };
      const first = pageParam === undefined && firstLimit !== undefined ? { limit: firstLimit } : {};
      const call = { ...options, query: { ...filters, ...first, cursor: pageParam }, signal };
      const page: unknown = await client.call(route, ...([call] as unknown[] as CallArguments<R>));
      return page as PageOf;
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: refreshOf(refetchInterval),
    enabled,
  });
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const items = useMemo(() => (data?.pages ?? []).flatMap((page) => page.items) as ItemOf<R>[], [data]);
  const more = hasNextPage ? () => void fetchNextPage() : undefined;
  const last = data?.pages.at(-1) as ResponseOutput<R> | undefined;
  const all = () => allPages({ client, route, options }, { max: FILE_ROWS_MAX });
  return { items, last, error, isPending, isFetchingMore: isFetchingNextPage, more, refetch, all };
}
