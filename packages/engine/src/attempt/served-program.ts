import { type AttemptPlan, mayReachOut } from '@agentclash/attempt-plan';
import type { AttemptHistory } from '../events/history.js';
import { hasBroker, ProgramBroker, type ProgramBrokerOptions } from '../programs/program-broker.js';
import { agentTools } from '../tools/surface.js';
import type { Assembly } from './assembly.js';
import type { AttemptPorts } from './ports.js';

interface ServedProgramContext
  extends Pick<
      AttemptPorts,
      'meterProgramCall' | 'openProgramModel' | 'prepareCalls' | 'readMessages' | 'readModelReplies'
    >,
    Pick<
      ProgramBrokerOptions,
      'beginWait' | 'ending' | 'endOf' | 'onError' | 'parts' | 'spending' | 'toolCalls'
    > {
  plan: AttemptPlan;
  history: AttemptHistory;
}

/**
 * The models and tools of a program, to be served while it runs: its calls are part of its history. Throws AttemptEnded
 * when a model cannot be opened.
 */
export function brokerOfProgram(
  { policy, surface }: Assembly,
  { plan, history, meterProgramCall, ...context }: ServedProgramContext,
): ProgramBroker | undefined {
  const { agent, limits } = plan;
  if (agent.kind !== 'program' || !hasBroker(agent, surface, plan.tools)) return undefined;
  return new ProgramBroker({
    ...context,
    models: agent.config.models,
    tools: agentTools(surface),
    limits,
    events: history.events,
    allowsServerFeatures: mayReachOut(policy, agent.kind),
    ...(plan.run_budget && { limitsReplies: true }),
    // A replay calls no provider.
    ...(meterProgramCall && plan.model_calls !== 'replay' && { meterCall: meterProgramCall }),
  });
}
