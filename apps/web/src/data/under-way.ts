import type { MutationKey, QueryClient } from '@tanstack/react-query';

/**
 * Whether a change with this key has been sent and not been answered. True from the moment it is sent: a button that
 * waits for the page to show it can be pressed twice before.
 */
export function isUnderWay(queries: QueryClient, mutationKey: MutationKey): boolean {
  return queries.isMutating({ mutationKey, exact: true }) > 0;
}
