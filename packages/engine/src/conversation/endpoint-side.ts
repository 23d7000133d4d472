import type { EndpointConfig } from '@agentclash/attempt-plan';
import type { DriverContext } from '../agents/driver.js';
import { askEndpoint } from '../agents/endpoint.js';
import type { AgentSide } from './side.js';

/** An endpoint is asked anew for every turn. */
export function endpointSide(config: EndpointConfig, context: DriverContext): AgentSide {
  return {
    async take({ transcript }) {
      const end = await askEndpoint(config, { ...context.task, transcript: [...transcript] }, context);
      return end.because === 'answer' ? { message: end.answer } : { end };
    },
    memory: () => ({ kind: 'endpoint' }),
  };
}
