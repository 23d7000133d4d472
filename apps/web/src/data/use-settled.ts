import { useEffect, useState } from 'react';

const SETTLED_MS = 250;

/** A value once it has stayed the same for a moment, so that not every letter of a search is asked for. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
