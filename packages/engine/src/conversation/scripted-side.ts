import type { ScriptConfig } from '@agentclash/attempt-plan';
import type { DriverContext } from '../agents/driver.js';
import { playEntry } from '../agents/scripted.js';
import type { AgentSide } from './side.js';
import type { AgentMemory } from './state.js';

/** A script goes on where it stopped until it says something; one that is over says nothing. */
export function scriptedSide(
  config: ScriptConfig,
  context: DriverContext,
  memory: AgentMemory | undefined,
): AgentSide {
  let next = memory?.kind === 'scripted' ? memory.next_step : 0;
  return {
    async take() {
      for (let entry = config.steps[next]; entry; entry = config.steps[next]) {
        next += 1;
        const played = await playEntry(entry, config, context);
        if (!played) continue;
        if ('end' in played) return played;
        if ('said' in played) return { message: played.said };
        return { message: 'answered' in played ? played.answered : played.submitted };
      }
      return { message: '' };
    },
    memory: () => ({ kind: 'scripted', next_step: next }),
  };
}
