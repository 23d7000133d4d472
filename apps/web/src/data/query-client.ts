import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './refresh.js';

const RETRIES_MAX = 4;

/** Responses are cached as long as a screen may show them; a request is repeated only after a temporary error. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: true,
        retry: (failures, error) => failures < RETRIES_MAX && isPassing(error),
      },
      mutations: { retry: false },
    },
  });
}
