import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what starting has left behind, once: an idle process would keep it, since only work makes the collector run.
 * Takes a tenth of a second of the thread.
 */
export function forceGarbageCollection(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
