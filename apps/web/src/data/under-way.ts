import type { MutationKey, QueryClient } from '@tanstack/react-query';

/**
 * Whether a mutation with this key is pending. True from the moment it is sent: a button that only follows the rendered
 * state can be pressed twice before the next render.
 */
export function isUnderWay(queries: QueryClient, mutationKey: MutationKey): boolean {
  return queries.isMutating({ mutationKey, exact: true }) > 0;
}
