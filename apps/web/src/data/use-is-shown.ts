import { useEffect, useRef } from 'react';

/** True while the component is on the page: a response may come when the user has gone to another screen. */
export function useIsShown(): () => boolean {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return () => shown.current;
}
