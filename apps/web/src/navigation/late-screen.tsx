import { ApiError } from '@agentclash/api';
import { useQuery } from '@tanstack/react-query';
import { refreshOf } from '../data/refresh.js';
import { Failure } from '../design/failure.js';
import { Loading } from '../design/loading.js';
import type { ScreenRoute } from './screen-route.js';

interface LateScreenProps {
  screen: ScreenRoute;
  params: Record<string, string>;
}

/**
 * A screen, and before its code is there, that it is on its way. Not by React's `lazy`: what suspends is held back for
 * 0.3 s after the fallback appeared, although its code may be there at once.
 */
export function LateScreen({ screen, params }: LateScreenProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['code of a screen', screen.path],
    queryFn: () => load(screen),
    enabled: screen.Screen === undefined,
    refetchInterval: refreshOf(false),
  });
  const Screen = screen.Screen ?? data;
  if (Screen !== undefined) return <Screen params={params} />;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return <Loading what="the screen" />;
}

/** Code comes from the server too: without it the server is away, which passes. */
async function load(screen: ScreenRoute) {
  try {
    return await screen.load();
  } catch (cause) {
    throw new ApiError({ code: 'unavailable', detail: 'This screen could not be fetched.' }, null, { cause });
  }
}
