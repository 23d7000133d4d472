import { routes } from '@agentclash/api';
import { useEffect, useRef } from 'react';
import { usePages } from '../../data/use-pages.js';
import { useRead } from '../../data/use-read.js';

/** More than any screen is high. */
const FIRST_PAGE = 50;
const PAGE = 200;
const REFRESH_MS = 2_000;
/** Asking again for all pages of a long attempt must not take all the time there is. */
const REFRESH_MS_PER_PAGE = 200;

/**
 * The steps of an attempt: the first page at once, the others one after the other behind it, and again until it has
 * finished.
 */
export function useSteps(attemptId: string, { enabled = true } = {}) {
  const params = { attempt_id: attemptId };
  const { data: attempt } = useRead(routes.attempts.get, { params }, { enabled });
  const isLive = attempt !== undefined && attempt.state !== 'finished';
  const pages = usePages(
    routes.attempts.replay,
    { params, query: { limit: PAGE } },
    {
      enabled,
      firstLimit: FIRST_PAGE,
      refetchInterval: (data) =>
        isLive && Math.max(REFRESH_MS, (data?.pages.length ?? 0) * REFRESH_MS_PER_PAGE),
    },
  );
  const { more, isFetchingMore, error, refetch } = pages;
  const wasLive = useRef(isLive);
  useEffect(() => {
    // Its last steps came after it was asked the last time.
    if (wasLive.current && !isLive) void refetch();
    wasLive.current = isLive;
  }, [isLive, refetch]);
  useEffect(() => {
    if (more !== undefined && !isFetchingMore && !error) more();
  }, [more, isFetchingMore, error]);
  return pages;
}
