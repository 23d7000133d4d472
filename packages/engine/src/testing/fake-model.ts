import type { ModelConfig } from '@agentclash/attempt-plan';
import type { JsonValue } from '@agentclash/challengepack';
import { NO_USAGE } from '@agentclash/domain';
import { type Model, type ModelReply, type ModelRequest } from '@agentclash/models';

/** A reply of a fake model; text alone is a message. */
export interface FakeReply {
  text?: string;
  calls?: { name: string; args: JsonValue }[];
  finishReason?: ModelReply['finishReason'];
  continuation?: JsonValue;
  /** May throw ModelCallError, or never return. */
  before?: () => Promise<void> | void;
}

/** A model in memory: returns its replies in order, the last one for ever, and keeps its requests. */
export class FakeModel implements Model {
  readonly providerKey = 'fake';
  readonly maxOutputTokens = 0;
  readonly requests: Omit<ModelRequest, 'signal' | 'onDelta'>[] = [];

  constructor(
    private readonly replies: readonly FakeReply[],
    readonly name = 'fake-model',
    private readonly costUsd: number | null = null,
  ) {}

  priceOf(): number | null {
    return this.costUsd;
  }

  maxPriceOf(): number | null {
    return this.costUsd;
  }

  async call({
    signal: _,
    beginWait: __,
    onFailedTry: ___,
    onDelta,
    ...request
  }: ModelRequest): Promise<ModelReply> {
    const index = this.requests.length;
    this.requests.push(structuredClone(request));
    const {
      text = '',
      calls = [],
      finishReason,
      continuation,
      before,
    } = this.replies[index] ?? this.replies.at(-1) ?? {};
    await before?.();
    if (text !== '') onDelta?.({ kind: 'text', text });
    return {
      text,
      toolCalls: calls.map(({ name, args }, call) => ({ id: `${index}.${call}`, name, arguments: args })),
      ...(continuation !== undefined && { continuation }),
      finishReason: finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
      usage: { ...NO_USAGE, input: 10, output: 5, total: 15 },
      costUsd: this.costUsd,
      responseModel: null,
      responseId: null,
      tries: 1,
      timing: { queued_ms: 0, ttft_ms: 0, total_ms: 0 },
    };
  }

  /** The messages of all requests, as text. */
  receivedText(): string {
    return JSON.stringify(this.requests);
  }
}

export function modelConfig(model: string): ModelConfig {
  return { provider_key: 'fake', model };
}

/** An `openModel` that returns fake models by name. */
export function fakeModels(...models: FakeModel[]): (config: ModelConfig) => Model {
  return ({ model }) => {
    const found = models.find(({ name }) => name === model);
    if (!found) throw new Error(`no fake model ${model}`);
    return found;
  };
}
