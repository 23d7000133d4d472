import { ApiError } from '@agentclash/api';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/** Whether a request of the current screen failed because the server is unavailable. */
export function useIsServerUnavailable(): boolean {
  const queries = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    (listener: () => void) => queries.subscribe(notifyManager.batchCalls(listener)),
    [queries],
  );
  return useSyncExternalStore(subscribe, () =>
    queries
      .getAll()
      .some(
        (query) => query.isActive() && isUnavailable(query.state.fetchFailureReason ?? query.state.error),
      ),
  );
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unavailable';
}
