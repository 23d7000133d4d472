import { availableParallelism } from 'node:os';
import { createEgress } from '@agentclash/egress';
import { argumentsCheck, SandboxImages } from '@agentclash/engine';
import { searchPattern } from '@agentclash/engine/pattern-search';
import { scoreAttempt } from '@agentclash/grading';
import type { SandboxProvider } from '@agentclash/sandbox';
import { ParserOutOfMemory } from '../mutations/code/syntax/parse.js';
import type { PackView } from '../pack/pack-view.js';
import { Planner } from '../planning/planner.js';
import type { Planning } from '../planning/tasks.js';
import type { TrialPorts } from './ports.js';

/**
 * Ports for a process of the author's own: schemas, patterns and evidence are evaluated in it, one core for each CPU that a
 * test may use.
 */
export function localPorts(
  sandboxes: SandboxProvider,
  { signal, onError }: Pick<TrialPorts, 'signal' | 'onError'>,
): TrialPorts {
  return {
    sandboxes,
    images: new SandboxImages(sandboxes),
    egress: createEgress(),
    planning: localPlanning(),
    argumentChecks: { check: async ({ schema, args, opaque }) => argumentsCheck(schema)(args, opaque) },
    patternSearches: { search: async (task) => searchPattern(task) },
    queryLimiter: { run: (work) => work() },
    score: async (spec, evidence, security) => scoreAttempt(spec, evidence, { security }),
    takeCpu: cpuSlots(availableParallelism()),
    signal,
    ...(onError && { onError }),
  };
}

/** Plans in the calling thread. */
function localPlanning(): Planning {
  const planners = new WeakMap<PackView, Planner>();
  const plannerOf = (pack: PackView) => {
    const planner = planners.get(pack) ?? new Planner(pack);
    planners.set(pack, planner);
    return planner;
  };
  return {
    plan: (pack, task) => plannerOf(pack).plan(task),
    mutants: async (pack, task) => {
      try {
        return await plannerOf(pack).mutants(task);
      } catch (error) {
        if (error instanceof ParserOutOfMemory) return 'overrun';
        throw error;
      }
    },
  };
}

/** In the order of arrival; a test that uses more than there are takes all. */
function cpuSlots(total: number): TrialPorts['takeCpu'] {
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
