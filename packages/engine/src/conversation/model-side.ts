import type { ModelConfig } from '@agentclash/attempt-plan';
import type { DriverContext } from '../agents/driver.js';
import { workMeans } from '../agents/model-agent.js';
import { ModelWork } from '../loop/model-work.js';
import { conversationOpening } from '../task/opening.js';
import type { AgentSide, TurnReply } from './side.js';
import type { AgentMemory } from './state.js';

/** A model works with its tools until it says something or submits: either ends its turn. */
export function modelSide(
  config: ModelConfig,
  context: DriverContext,
  memory: AgentMemory | undefined,
): AgentSide {
  const known = memory?.kind === 'model' ? memory : undefined;
  const told = known?.messages ?? conversationOpening(config, context.task);
  const work = new ModelWork(workMeans(config, context), [...told], known?.sent);
  const { max_iterations } = context.plan.limits;
  return {
    async take({ message }) {
      work.messages.push({ role: 'user', text: message });
      for (let iteration = 1; iteration <= max_iterations; iteration++) {
        context.stage.check();
        const worked = await work.step();
        if ('end' in worked) return worked;
        if ('submitted' in worked) return { message: worked.submitted };
        if ('said' in worked) return spoken(worked.said);
      }
      return { end: { because: 'limit', limit: 'iterations' } };
    },
    memory: () => ({ kind: 'model', messages: work.messages, ...(work.sent && { sent: work.sent }) }),
  };
}

function spoken(message: string): TurnReply {
  if (message.trim() !== '') return { message };
  return { end: { because: 'agent_error', code: 'empty_output', message: 'the agent said nothing' } };
}
