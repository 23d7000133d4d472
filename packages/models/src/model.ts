import type { JsonObject, JsonValue, PricedUsage } from '@agentclash/challengepack';
import type { AgentTool, CallTiming, FinishReason, Usage } from '@agentclash/domain';
import type { ProviderFailureClass } from './failures/failure.js';

/** A call that a model proposes; invalid JSON arguments stay text. */
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
  /** JSON Schema of the reply; used where the provider can enforce it. */
  outputSchema?: JsonObject;
  /** Cancels the call; carries the deadline of the work that it is part of. */
  signal: AbortSignal;
  /** Called with each fragment of the reply. */
  onDelta?: (delta: { kind: 'text' | 'reasoning' | 'tool_call'; text: string }) => void;
}

export interface ModelReply {
  text: string;
  toolCalls: readonly ProposedCall[];
  /** The form of this reply that the provider needs in the history (signed reasoning); opaque JSON. */
  continuation?: JsonValue;
  finishReason: FinishReason;
  usage: Usage;
  /** Null when the price is unknown. */
  costUsd: number | null;
  responseModel: string | null;
  responseId: string | null;
  tries: number;
  timing: CallTiming;
}

/** A model of a provider account, which handles retries, rate control and credentials itself. */
export interface Model {
  readonly providerKey: string;
  readonly name: string;
  /** Upper bound of the tokens of a reply, used to reserve budget. */
  readonly maxOutputTokens: number;
  /** Cost of a call in US dollars; null when the model has no price. */
  priceOf(usage: PricedUsage): number | null;
  /** Throws ModelCallError. */
  call(request: ModelRequest): Promise<ModelReply>;
}

/** A call that failed finally, after its retries. `message` may be shown to users. */
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
