import { availableParallelism } from 'node:os';
import { createEgress, type Egress } from '@agentclash/egress';
import { argumentsCheck, SandboxImages } from '@agentclash/engine';
import { searchPattern } from '@agentclash/engine/pattern-search';
import type { SandboxProvider } from '@agentclash/sandbox';
import type { LocalPorts } from './ports.js';

/**
 * Ports for a process of the author's own: schemas and patterns are evaluated in it, one core for each CPU that a
 * test may use.
 */
export function localPorts(
  sandboxes: SandboxProvider,
  { signal, onError, egress = createEgress() }: Pick<LocalPorts, 'signal' | 'onError'> & { egress?: Egress },
): LocalPorts {
  return {
    sandboxes,
    images: new SandboxImages(sandboxes),
    egress,
    argumentChecks: { check: async ({ schema, args, opaque }) => argumentsCheck(schema)(args, opaque) },
    patternSearches: { search: async (task) => searchPattern(task) },
    queryLimiter: { run: (work) => work() },
    takeCpu: cpuSlots(availableParallelism()),
    signal,
    ...(onError && { onError }),
  };
}

/** In the order of arrival; a test that uses more than there are takes all. */
function cpuSlots(total: number): LocalPorts['takeCpu'] {
  let free = total;
  const waiting: { count: number; start: () => void }[] = [];
  const startNext = () => {
    for (let next = waiting[0]; next !== undefined && next.count <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.count;
      next.start();
    }
  };
  return async (cpu, signal) => {
    signal.throwIfAborted();
    const count = Math.min(total, Math.max(1, Math.ceil(cpu)));
    await new Promise<void>((resolve, reject) => {
      const entry = {
        count,
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(entry), 1);
        startNext();
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(entry);
      startNext();
    });
    return () => {
      free += count;
      startNext();
    };
  };
}
