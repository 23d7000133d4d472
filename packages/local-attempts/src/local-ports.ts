import { availableParallelism } from 'node:os';
import { createEgress, type Egress } from '@agentclash/egress';
import { argumentsCheck, SandboxImages } from '@agentclash/engine';
import { searchPattern } from '@agentclash/engine/pattern-search';
import type { SandboxProvider } from '@agentclash/sandbox';
import { Semaphore } from '@agentclash/threads';
import type { LocalPorts } from './ports.js';

/**
 * Ports for a process of the author's own: schemas and patterns are evaluated in it, one core for each CPU that a
 * test may use.
 */
export function localPorts(
  sandboxes: SandboxProvider,
  { signal, onError, egress = createEgress() }: Pick<LocalPorts, 'signal' | 'onError'> & { egress?: Egress },
): LocalPorts {
  const slots = new Semaphore(availableParallelism());
  return {
    sandboxes,
    images: new SandboxImages(sandboxes),
    egress,
    argumentChecks: { check: async ({ schema, args, opaque }) => argumentsCheck(schema)(args, opaque) },
    patternSearches: { search: async (task) => searchPattern(task) },
    queryLimiter: { run: (work) => work() },
    takeCpu: (cpu, wait) => slots.acquire({ permits: Math.max(1, Math.ceil(cpu)), signal: wait }),
    signal,
    ...(onError && { onError }),
  };
}
