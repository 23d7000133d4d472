import { AttemptEnded } from '../attempt/attempt-ended.js';
import type { AgentConfigs, AgentKind } from '../plan.js';
import type { Driven, Driver, DriverContext } from './driver.js';
import { driveModel } from './model-agent.js';
import { driveProgram } from './program.js';
import { driveScript } from './scripted.js';

/** Every kind of agent that this engine drives; a run with another is refused when it is created. */
const DRIVERS: { [K in AgentKind]?: Driver<K> } = {
  program: driveProgram,
  scripted: driveScript,
  model: driveModel,
};

/** Drives the agent of a plan to its end. Throws AttemptEnded. */
export function drive<K extends AgentKind>(
  agent: { kind: K; config: AgentConfigs[K] },
  context: DriverContext,
): Promise<Driven> {
  const driver: Driver<K> | undefined = DRIVERS[agent.kind];
  if (!driver || context.plan.mode === 'multi_turn') {
    const message = `agents of kind ${agent.kind} cannot run in mode ${context.plan.mode}`;
    throw new AttemptEnded({ because: 'infra', code: 'unsupported_capability', message });
  }
  return driver(agent.config, context);
}
