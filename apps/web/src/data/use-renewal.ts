import type { Route } from '@agentclash/api';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';

/** Reads again what screens show of routes whose cached responses are stale after a change. */
export function useRenewal(touches: readonly Route[]): () => Promise<void> {
  const queries = useQueryClient();
  return () => renew(queries, touches);
}

export async function renew(queries: QueryClient, touches: readonly Route[]): Promise<void> {
  // Responses that no screen shows are removed: otherwise a screen would show them until the refresh.
  for (const { path } of touches) queries.removeQueries({ queryKey: [path], type: 'inactive' });
  // A first read that is under way may be of before the change, and an invalidation would wait for it.
  await Promise.all(touches.map(({ path }) => queries.cancelQueries({ queryKey: [path] })));
  await Promise.all(touches.map(({ path }) => queries.invalidateQueries({ queryKey: [path] })));
}
