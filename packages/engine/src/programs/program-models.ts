import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { ProgramConfig, ProgramModel, ProgramModels } from '@agentclash/attempt-plan';
import { providerKeyOf, WIRES_OF_PROVIDER, type WireKey } from '@agentclash/domain';
import { ModelBroker } from '@agentclash/model-broker';
import type { ForwardingModel } from '@agentclash/models';
import { type AttemptEnd, AttemptEnded } from '../outcome/attempt-end.js';
import type { AttemptPorts } from '../ports.js';
import { ProgramCalls, type ProgramCallsOptions } from './program-calls.js';

/** Where programs find the broker, on their loopback. */
export const BROKER_PORT = 13_131;
export const BROKER_URL = `http://127.0.0.1:${BROKER_PORT}`;

export interface ProgramModelsOptions
  extends Omit<ProgramCallsOptions, 'models'>,
    Pick<AttemptPorts, 'openProgramModel' | 'prepareCalls'> {
  /** The pack grants the provider's own tools along with the network. */
  allowsServerFeatures: boolean;
}

/** The models of one attempt's program, served while it runs. */
export class ServedModels {
  /** The only credential that the program has. */
  readonly token = randomBytes(24).toString('base64url');
  private readonly calls: ProgramCalls;
  private readonly broker: ModelBroker;

  /** Throws AttemptEnded when a model cannot be opened. */
  constructor(models: ProgramModels, options: ProgramModelsOptions) {
    const opened = new Map(modelsOf(models).map((model) => [model.alias, openedModel(model, options)]));
    this.calls = new ProgramCalls({
      ...options,
      models: new Map([...opened].map(([alias, { model }]) => [alias, model])),
    });
    const { prepareCalls, stage } = options;
    this.broker = new ModelBroker({
      ...(prepareCalls && { prepare: (call) => prepareCalls(call, stage.signal) }),
      token: this.token,
      models: opened,
      main: models.main.alias,
      allowsServerFeatures: options.allowsServerFeatures,
      observer: this.calls,
    });
  }

  serve(stream: Duplex): void {
    this.broker.serve(stream);
  }

  /** The end of an attempt whose program ended as `end`. */
  explain(end: AttemptEnd): AttemptEnd {
    return this.calls.explain(end);
  }

  /** Ends every call; further ones are refused. Idempotent. */
  close(): void {
    this.calls.close();
    this.broker.close();
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

/** Whether a program needs a broker. */
export function hasModels(config: ProgramConfig): config is ProgramConfig & { models: ProgramModels } {
  return config.models !== undefined;
}

function modelsOf({ main, small }: ProgramModels): ProgramModel[] {
  return small === undefined ? [main] : [main, small];
}

function openedModel(
  { alias: _, ...connection }: ProgramModel,
  { openProgramModel }: ProgramModelsOptions,
): { model: ForwardingModel; wires: readonly WireKey[] } {
  const model = openProgramModel?.(connection);
  if (model) return { model, wires: wiresOf(connection) };
  const message = 'no models are available here';
  throw new AttemptEnded({ because: 'provider', class: 'unsupported', message });
}
