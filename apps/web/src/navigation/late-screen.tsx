import { useEffect, useState } from 'react';
import { Loading } from '../design/loading.js';
import type { ScreenRoute } from '../screens.js';

interface LateScreenProps {
  screen: ScreenRoute;
  params: Record<string, string>;
}

/**
 * A screen, and before its code is there, that it is on its way. Not by React's `lazy`: what suspends is held back for
 * 0.3 s after the fallback appeared, although its code may be there at once.
 */
export function LateScreen({ screen, params }: LateScreenProps) {
  const { Screen } = screen;
  const [end, setEnd] = useState<{ error?: unknown }>({});
  useEffect(() => {
    if (Screen !== undefined) return;
    screen.load().then(
      () => setEnd({}),
      (error: unknown) => setEnd({ error }),
    );
  }, [screen, Screen]);
  if (end.error !== undefined) throw end.error;
  return Screen === undefined ? <Loading what="the screen" /> : <Screen params={params} />;
}
