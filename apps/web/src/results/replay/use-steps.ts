import { routes } from '@agentclash/api';
import { isOver } from '@agentclash/domain';
import { useEffect, useRef } from 'react';
import { usePages } from '../../data/use-pages.js';
import { useRead } from '../../data/use-read.js';

/** More steps than fit on a screen. */
const FIRST_PAGE = 50;
const PAGE = 200;
/** Characters of a text that are loaded with its step; more only when the whole is opened. */
export const TEXT_MAX = 8_000;
const REFRESH_MS = 2_000;
/** The refresh interval grows with the pages, so that refreshes of a long attempt do not saturate the client. */
const REFRESH_MS_PER_PAGE = 200;

/**
 * The steps of an attempt: the first page at once, then the other pages in sequence, refreshed until the attempt has
 * finished.
 */
export function useSteps(attemptId: string, { enabled = true } = {}) {
  const params = { attempt_id: attemptId };
  const { data: attempt } = useRead(routes.attempts.get, { params }, { enabled });
  const isLive = attempt !== undefined && !isOver(attempt.state);
  const pages = usePages(
    routes.attempts.replay,
    { params, query: { limit: PAGE, text_max: TEXT_MAX } },
    {
      enabled,
      firstLimit: FIRST_PAGE,
      refetchInterval: (data) =>
        isLive && Math.max(REFRESH_MS, (data?.pages.length ?? 0) * REFRESH_MS_PER_PAGE),
    },
  );
  const { items, more, isFetchingMore, error, refetch } = pages;
  const wasLive = useRef(isLive);
  // The steps may have been read before the end of the attempt, though the attempt was read after it.
  const isOutdated = attempt !== undefined && !isLive && items.some(({ status }) => status === 'open');
  useEffect(() => {
    // The last steps came after the last refresh.
    if (!isLive && (wasLive.current || isOutdated)) void refetch();
    wasLive.current = isLive;
  }, [isLive, isOutdated, refetch]);
  useEffect(() => {
    if (more !== undefined && !isFetchingMore && !error) more();
  }, [more, isFetchingMore, error]);
  return pages;
}
