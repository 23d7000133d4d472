import { ApiError } from '@agentclash/api';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/** Whether something the screen shows could not be brought up to date, because the server did not answer. */
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
