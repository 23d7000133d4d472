import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { PlannedAgent, PlannedTools, ProgramModel, ProgramModels } from '@agentclash/attempt-plan';
import { type AgentTool, providerKeyOf, WIRES_OF_PROVIDER, type WireKey } from '@agentclash/domain';
import { ModelBroker, type PartsForm } from '@agentclash/model-broker';
import type { BeginWait, ForwardingModel } from '@agentclash/models';
import { type AttemptEnd, AttemptEnded } from '../outcome/attempt-end.js';
import { ProgramCalls, type ProgramCallsOptions } from './program-calls.js';
import type { BrokerPorts } from './program-ports.js';
import { ProgramTools, type ProgramToolsOptions } from './program-tools.js';

/** Where programs find the broker, on their loopback. */
export const BROKER_PORT = 13_131;
export const BROKER_URL = `http://127.0.0.1:${BROKER_PORT}`;

export interface ProgramBrokerOptions
  extends Omit<ProgramCallsOptions, 'models'>,
    Pick<ProgramToolsOptions, 'toolCalls' | 'endOf'>,
    BrokerPorts {
  models: ProgramModels | undefined;
  /** Called when a call begins to wait for its account; the returned function at the end of the wait. */
  beginWait: BeginWait;
  tools: readonly AgentTool[];
  /** Replies are kept or served: requests carry their parts in this form. */
  parts?: PartsForm;
  /** Calls that do not limit their replies are sent the limit of their model. */
  limitsReplies?: boolean;
  /** The pack grants the provider's own tools along with the network. */
  allowsServerFeatures: boolean;
}

/** The models and tools of one attempt's program, served while it runs. */
export class ProgramBroker {
  /** The only credential that the program has. */
  readonly token = randomBytes(24).toString('base64url');
  readonly hasTools: boolean;
  private readonly calls: ProgramCalls;
  private readonly tools: ProgramTools;
  private readonly broker: ModelBroker;

  /** Throws AttemptEnded when a model cannot be opened. */
  constructor(options: ProgramBrokerOptions) {
    const { models, prepareCalls, readModelReplies, readMessages, ending } = options;
    const opened = new Map(
      (models ? modelsOf(models) : []).map((model) => [model.alias, openedModel(model, options)]),
    );
    this.calls = new ProgramCalls({
      ...options,
      models: new Map([...opened].map(([alias, { model }]) => [alias, model])),
    });
    this.tools = new ProgramTools({ ...options, list: options.tools, modelCalls: () => this.calls.count });
    this.hasTools = options.tools.length > 0;
    this.broker = new ModelBroker({
      ...(prepareCalls && { prepare: (call) => prepareCalls(call, ending.signal) }),
      ...(readModelReplies && { readReply: (reply) => readModelReplies(reply, ending.signal) }),
      ...(readMessages && { readMessage: (body) => readMessages(body, ending.signal) }),
      token: this.token,
      models: opened,
      ...(models && { main: models.main.alias }),
      tools: this.tools,
      allowsServerFeatures: options.allowsServerFeatures,
      ...(options.parts && { parts: options.parts }),
      ...(options.limitsReplies && { limitsReplies: true }),
      observer: this.calls,
      beginWait: options.beginWait,
    });
  }

  serve(stream: Duplex): void {
    this.broker.serve(stream);
  }

  /** Ends every call, refuses further ones, and returns the end of an attempt whose program ended as `end`. */
  async endedAs(end: AttemptEnd): Promise<AttemptEnd> {
    this.close();
    await this.settled();
    return this.calls.explain(end);
  }

  /** Ends every call; further ones are refused. Idempotent. */
  close(): void {
    this.calls.close();
    this.broker.close();
  }

  /** Resolves when no tool call is under way. */
  async settled(): Promise<void> {
    await this.tools.settled();
  }
}

/** The variables by which the SDKs of providers find the broker; `AGENTCLASH_MODEL` is the name of the main model. */
export function modelEnvironment({ main, small }: ProgramModels, token: string): Record<string, string> {
  return {
    OPENAI_BASE_URL: `${BROKER_URL}/v1`,
    OPENAI_API_KEY: token,
    ANTHROPIC_BASE_URL: BROKER_URL,
    ANTHROPIC_API_KEY: token,
    GOOGLE_GEMINI_BASE_URL: BROKER_URL,
    GEMINI_API_KEY: token,
    AGENTCLASH_MODEL: main.alias,
    AGENTCLASH_SMALL_MODEL: (small ?? main).alias,
  };
}

/** The APIs of a program's main model. */
export function wiresOf({ provider_key }: Pick<ProgramModel, 'provider_key'>): readonly WireKey[] {
  const key = providerKeyOf(provider_key);
  return key === undefined ? [] : WIRES_OF_PROVIDER[key];
}

/** The variables by which a program finds its tools. */
export function toolEnvironment(token: string): Record<string, string> {
  return { AGENTCLASH_MCP_URL: `${BROKER_URL}/mcp`, AGENTCLASH_MCP_TOKEN: token };
}

/** True when an agent has a broker: it is a program with models or tools. Those of servers are not known at first. */
export function hasBroker(
  { kind, config }: PlannedAgent,
  tools: { size: number },
  { mcp_servers = [] }: Pick<PlannedTools, 'mcp_servers'>,
): boolean {
  return kind === 'program' && (config.models !== undefined || tools.size > 0 || mcp_servers.length > 0);
}

function modelsOf({ main, small }: ProgramModels): ProgramModel[] {
  return small === undefined ? [main] : [main, small];
}

function openedModel(
  { alias: _, ...connection }: ProgramModel,
  { openProgramModel }: Pick<ProgramBrokerOptions, 'openProgramModel'>,
): { model: ForwardingModel; wires: readonly WireKey[] } {
  const model = openProgramModel?.(connection);
  if (model) return { model, wires: wiresOf(connection) };
  const message = 'no models are available here';
  throw new AttemptEnded({ because: 'provider', class: 'unsupported', message });
}
