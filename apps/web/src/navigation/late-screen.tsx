import { type ComponentType, useEffect, useState } from 'react';
import { Loading } from '../design/loading.js';

/** A screen gets the variable parts of its path as `params`; the path says which there are. */
type Screen = ComponentType<{ params: Record<string, string> }>;

interface LateScreen {
  Screen: Screen;
  /** Fetches its code, once. */
  load: () => Promise<void>;
}

/**
 * A screen whose code is fetched when it is first shown. Not by React's `lazy`: what suspends is held back for 0.3 s
 * after the fallback appeared, although its code may be there at once.
 */
export function lateScreen(fetch: () => Promise<{ default: ComponentType<never> }>): LateScreen {
  let Fetched: Screen | undefined;
  const load = async () => {
    Fetched ??= (await fetch()).default as Screen;
  };

  function Late({ params }: { params: Record<string, string> }) {
    const [state, setState] = useState<{ isHere: boolean; error?: unknown }>({ isHere: Fetched !== undefined });
    useEffect(() => {
      if (state.isHere) return;
      load().then(
        () => setState({ isHere: true }),
        (error: unknown) => setState({ isHere: false, error }),
      );
    }, [state.isHere]);
    if (state.error !== undefined) throw state.error;
    return Fetched === undefined ? <Loading what="the screen" /> : <Fetched params={params} />;
  }
  return { Screen: Late, load };
}
