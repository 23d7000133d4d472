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
 * A lazily loaded screen with a loading state. Not React's `lazy`: it shows a suspended screen at least 0.3 s after its
 * fallback, although the code may have been loaded sooner.
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

/** The code comes from the same server: a failed load is a temporary `unavailable`. */
async function load(screen: ScreenRoute) {
  try {
    return await screen.load();
  } catch (cause) {
    throw new ApiError({ code: 'unavailable', detail: 'This screen could not be loaded.' }, null, { cause });
  }
}
