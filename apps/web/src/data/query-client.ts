import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './refresh.js';

const RETRIES_MAX = 4;

/** Answers are kept as long as a screen may show them; only what may pass by itself is asked again. */
export const queryClient = new QueryClient({
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
