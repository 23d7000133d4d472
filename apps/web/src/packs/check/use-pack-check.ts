import { useEffect, useRef, useState } from 'react';
import type { Checked } from './checked.js';
import { PackChecker } from './pack-checker.js';

const PAUSE_MS = 150;

/** Checks a document while it is typed; results stay until there are new ones. */
export function usePackCheck(text: string, files: readonly string[]): { checked?: Checked; bug?: string } {
  const [state, setState] = useState<{ checked?: Checked; bug?: string }>({});
  const checker = useRef<PackChecker>(null);
  useEffect(() => {
    const mine = new PackChecker(
      (checked) => setState({ checked }),
      (bug) => setState({ bug }),
    );
    checker.current = mine;
    return () => mine.close();
  }, []);
  useEffect(() => {
    if (text.trim() === '') {
      setState({});
      return;
    }
    const timer = setTimeout(() => checker.current?.check(text, files), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, files]);
  return state;
}
