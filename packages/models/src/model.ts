import type { AgentTool, JsonObject, JsonValue, PricedUsage } from '@agentclash/challengepack';
import type { ProviderFailureClass } from './failures/failure.js';
import type { CallTiming, FinishReason, Usage } from './usage.js';

/** A call that a model proposes; arguments that are no JSON stay the text they were. */
export interface ProposedCall {
  id: string;
  name: string;
  arguments: JsonValue;
}

export type Message =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: readonly ProposedCall[]; continuation?: JsonValue }
  | { role: 'tool'; toolCallId: string; toolName: string; result: JsonValue };

export interface ModelRequest {
  messages: readonly Message[];
  tools: readonly AgentTool[];
  /** JSON Schema of the answer; used where the provider can hold a model to it. */
  outputSchema?: JsonObject;
  /** Cancels, and carries the deadline of whatever the call is part of. */
  signal: AbortSignal;
  /** Hears pieces of the reply as they come. */
  onDelta?: (delta: { kind: 'text' | 'reasoning' | 'tool_call'; text: string }) => void;
}

export interface ModelReply {
  text: string;
  toolCalls: readonly ProposedCall[];
  /** What the provider wants to see again beside this reply in the history (signed reasoning); opaque, has a JSON form. */
  continuation?: JsonValue;
  finishReason: FinishReason;
  usage: Usage;
  /** Null when nobody knows the price. */
  costUsd: number | null;
  responseModel: string | null;
  responseId: string | null;
  tries: number;
  timing: CallTiming;
}

/** A model behind a provider account: retries, rate control and credentials are its own affair. */
export interface Model {
  readonly providerKey: string;
  readonly name: string;
  /** Upper bound of what a reply may cost in tokens, used to reserve budget. */
  readonly maxOutputTokens: number;
  /** Cost of a call in US dollars; null when the model has no price. */
  priceOf(usage: PricedUsage): number | null;
  /** Throws ModelCallError. */
  call(request: ModelRequest): Promise<ModelReply>;
}

/** A call that failed for good, after the tries it was worth. `message` is fit for users. */
export class ModelCallError extends Error {
  override readonly name = 'ModelCallError';

  constructor(
    readonly failure: ProviderFailureClass,
    message: string,
    readonly details: {
      tries: number;
      timing: CallTiming;
      status?: number;
      retryAfterSeconds?: number;
    },
  ) {
    super(message);
  }
}
