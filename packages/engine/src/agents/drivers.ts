import type { AgentConfigs, AgentKind } from '@agentclash/attempt-plan';
import { driveAcp } from './acp.js';
import type { Driver, DriverContext, DriverResult } from './driver.js';
import { driveEndpoint } from './endpoint.js';
import { driveModel } from './model-agent.js';
import { driveProgram } from './program.js';
import { driveScript } from './scripted.js';

const DRIVERS: { [K in AgentKind]: Driver<K> } = {
  program: (config, context) =>
    config.protocol === 'acp' ? driveAcp(config, context) : driveProgram(config, context),
  scripted: driveScript,
  model: driveModel,
  endpoint: driveEndpoint,
};

/** Drives the agent of a plan to its end, alone with its task. Throws AttemptEnded. */
export function drive<K extends AgentKind>(
  agent: { kind: K; config: AgentConfigs[K] },
  context: DriverContext,
): Promise<DriverResult> {
  const driver: Driver<K> = DRIVERS[agent.kind];
  return driver(agent.config, context);
}
