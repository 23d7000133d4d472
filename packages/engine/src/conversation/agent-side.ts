import type {
  AgentConfigs,
  AgentKind,
  ModelConfig,
  ProgramConfig,
  ScriptConfig,
} from '@agentclash/attempt-plan';
import type { EndpointConfig, Utterance } from '@agentclash/domain';
import { A2aAgent } from '../agents/a2a.js';
import { AcpAgent } from '../agents/acp.js';
import type { DriverContext } from '../agents/driver.js';
import { callEndpoint } from '../agents/endpoint.js';
import { modelContext } from '../agents/model-agent.js';
import { programSandbox, runProgram, stageProgram } from '../agents/program.js';
import { runEntry } from '../agents/scripted.js';
import { ModelSteps } from '../model/model-steps.js';
import { type AttemptEnd, AttemptEnded } from '../outcome/attempt-end.js';
import { conversationOpening } from '../task/task-document.js';
import type { AgentMemory } from './state.js';

/** A turn of the user; the transcript ends with its message. */
interface UserTurn {
  index: number;
  message: string;
  transcript: readonly Utterance[];
}

/** The message that ends the agent's turn, or the end of the attempt. */
type TurnReply = { message: string } | { end: AttemptEnd };

/** The agent's side of a conversation. */
export interface AgentSide {
  /** Throws AttemptEnded. */
  reply(turn: UserTurn): Promise<TurnReply>;
  /** The state that another executor needs to continue. */
  memory(): AgentMemory;
  /** Ends what the agent has under way, at the end of the conversation. Never rejects. */
  close?(): Promise<void>;
}

/** An endpoint receives a new request for every turn. */
function endpointSide(
  config: EndpointConfig,
  context: DriverContext,
  memory: AgentMemory | undefined,
): AgentSide {
  if (config.protocol === 'a2a') return a2aSide(config, context, memory);
  return {
    async reply({ transcript }) {
      const end = await callEndpoint(config, { ...context.task, transcript: [...transcript] }, context);
      return end.because === 'completed' ? { message: end.output } : { end };
    },
    memory: () => ({ kind: 'endpoint' }),
  };
}

/** An agent of A2A keeps the conversation under the id of its context. */
function a2aSide(config: EndpointConfig, context: DriverContext, memory: AgentMemory | undefined): AgentSide {
  const agent = new A2aAgent(config, context, memory?.kind === 'endpoint' ? memory.a2a : undefined);
  return {
    async reply({ message, transcript }) {
      const end = await agent.takeTurn(message, transcript);
      return end.because === 'completed' ? { message: end.output } : { end };
    },
    memory: () => ({ kind: 'endpoint', a2a: agent.memory }),
    close: () => agent.cancel(),
  };
}

/** A model works with its tools until its first message or submit: either ends its turn. */
function modelSide(config: ModelConfig, context: DriverContext, memory: AgentMemory | undefined): AgentSide {
  const known = memory?.kind === 'model' ? memory : undefined;
  const messages = known?.messages ?? conversationOpening(config, context.task);
  const work = new ModelSteps(modelContext(config, context), [...messages], known?.sent);
  const { max_iterations } = context.plan.limits;
  return {
    async reply({ message }) {
      work.messages.push({ role: 'user', text: message });
      for (let iteration = 1; iteration <= max_iterations; iteration++) {
        context.stage.check();
        const result = await work.step();
        if ('end' in result) return result;
        if ('submitted' in result) return { message: result.submitted };
        if ('message' in result) return turnReply(result.message);
      }
      return { end: { because: 'limit', limit: 'iterations' } };
    },
    memory: () => ({ kind: 'model', messages: work.messages, ...(work.sent && { sent: work.sent }) }),
  };
}

function turnReply(message: string): TurnReply {
  if (message.trim() !== '') return { message };
  return {
    end: { because: 'agent_error', code: 'empty_output', message: 'the message of the agent is blank' },
  };
}

/** A program is started again for every turn, in the sandbox of its earlier turns. */
function programSide(config: ProgramConfig, context: DriverContext): AgentSide {
  if (config.protocol === 'acp') return acpSide(config, context);
  const run = { sandbox: programSandbox(context), context };
  return {
    async reply({ index, transcript }) {
      // In later turns the program's own processes may have these files open.
      if (index === 0) await stageProgram(config, run);
      const task = { ...context.task, transcript: [...transcript] };
      const { end } = await runProgram(config, { task, outputName: `agentclash-output-${index}` }, run);
      return end.because === 'completed' ? { message: end.output } : { end };
    },
    memory: () => ({ kind: 'program' }),
  };
}

/** A program of ACP runs until the conversation ends. It is refused for conversations with a person. */
function acpSide(config: ProgramConfig, context: DriverContext): AgentSide {
  const agent = new AcpAgent(config, context);
  return {
    async reply({ message }) {
      const end = await agent.prompt(message);
      return end.because === 'completed' ? { message: end.output } : { end };
    },
    memory() {
      const message = 'a program of ACP cannot wait for a person';
      throw new AttemptEnded({
        because: 'infra',
        code: 'incompatible_deployment',
        message,
        isPermanent: true,
      });
    },
    close: () => agent.close(),
  };
}

/** A script continues until its next message; one that has ended replies with a blank one. */
function scriptedSide(
  config: ScriptConfig,
  context: DriverContext,
  memory: AgentMemory | undefined,
): AgentSide {
  let next = memory?.kind === 'scripted' ? memory.next_step : 0;
  return {
    async reply() {
      for (let entry = config.steps[next]; entry; entry = config.steps[next]) {
        next += 1;
        const played = await runEntry(entry, config, context);
        if (!played) continue;
        if ('end' in played) return played;
        if ('message' in played) return { message: played.message };
        return { message: 'output' in played ? played.output : played.submitted };
      }
      return { message: '' };
    },
    memory: () => ({ kind: 'scripted', next_step: next }),
  };
}

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

/** The agent's side of a conversation, with its memory of earlier turns. Throws AttemptEnded. */
export function openSide<K extends AgentKind>(
  agent: { kind: K; config: AgentConfigs[K] },
  context: DriverContext,
  memory?: AgentMemory,
): AgentSide {
  const open: OpenSide<K> = SIDES[agent.kind];
  return open(agent.config, context, memory);
}
