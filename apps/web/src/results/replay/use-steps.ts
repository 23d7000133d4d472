import { routes } from '@agentclash/api';
import { useEffect } from 'react';
import { usePages } from '../../data/use-pages.js';

/** More than any screen is high. */
const FIRST_PAGE = 50;
const PAGE = 200;

/** The steps of an attempt: the first page at once, the others one after the other behind it. */
export function useSteps(attemptId: string, { enabled = true } = {}) {
  const pages = usePages(
    routes.attempts.replay,
    { params: { attempt_id: attemptId }, query: { limit: PAGE } },
    { enabled, firstLimit: FIRST_PAGE },
  );
  const { more, isFetchingMore, error } = pages;
  useEffect(() => {
    if (more !== undefined && !isFetchingMore && !error) more();
  }, [more, isFetchingMore, error]);
  return pages;
}
