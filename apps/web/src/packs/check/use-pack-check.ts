import { useEffect, useRef, useState } from 'react';
import type { Checked } from '../../editor/worker/orders.js';
import { WorkerClient } from '../../editor/worker/worker-client.js';

const PAUSE_MS = 150;

interface State {
  checked?: Checked;
  bug?: string;
}

/** Checks a document while it is typed; results stay until there are new ones. */
export function usePackCheck(text: string, files: readonly string[]): State {
  const [state, setState] = useState<State>({});
  const client = useRef<WorkerClient>(null);
  useEffect(() => {
    const mine = new WorkerClient();
    client.current = mine;
    return () => mine.close();
  }, []);
  useEffect(() => {
    if (text.trim() === '') {
      setState({});
      return;
    }
    const check = async () => {
      try {
        const checked = await client.current?.call('check', { text, files });
        if (checked !== undefined) setState({ checked });
      } catch (error) {
        setState({ bug: (error as Error).message });
      }
    };
    const timer = setTimeout(() => void check(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, files]);
  return state;
}
