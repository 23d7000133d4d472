import { scoreAttempt } from '@agentclash/grading';
import { localPorts } from '@agentclash/local-attempts';
import type { SandboxProvider } from '@agentclash/sandbox';
import { ParserOutOfMemory } from '../mutations/code/syntax/parse.js';
import type { PackView } from '../pack/pack-view.js';
import { Planner } from '../planning/planner.js';
import type { Planning } from '../planning/tasks.js';
import type { TrialPorts } from './ports.js';

/** Ports for a process of the author's own, which plans and scores in it. */
export function localTrialPorts(
  sandboxes: SandboxProvider,
  options: Pick<TrialPorts, 'signal' | 'onError'>,
): TrialPorts {
  return {
    ...localPorts(sandboxes, options),
    planning: localPlanning(),
    score: async (spec, evidence, security) => scoreAttempt(spec, evidence, { security }),
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
