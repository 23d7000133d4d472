import type { AgentConfigs, AgentKind } from '@agentclash/attempt-plan';
import type { DriverContext } from '../agents/driver.js';
import { endpointSide } from './endpoint-side.js';
import { modelSide } from './model-side.js';
import { programSide } from './program-side.js';
import { scriptedSide } from './scripted-side.js';
import type { AgentSide } from './side.js';
import type { AgentMemory } from './state.js';

type OpenSide<K extends AgentKind> = (
  config: AgentConfigs[K],
  context: DriverContext,
  memory: AgentMemory | undefined,
) => AgentSide;

const SIDES: { [K in AgentKind]: OpenSide<K> } = {
  model: modelSide,
  scripted: scriptedSide,
  program: programSide,
  endpoint: endpointSide,
};

/** The agent's side of a conversation, with what it remembers of its earlier turns. Throws AttemptEnded. */
export function openSide<K extends AgentKind>(
  agent: { kind: K; config: AgentConfigs[K] },
  context: DriverContext,
  memory?: AgentMemory,
): AgentSide {
  const open: OpenSide<K> = SIDES[agent.kind];
  return open(agent.config, context, memory);
}
