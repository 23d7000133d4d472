import type { JsonObject, JsonValue, PricedUsage } from '@agentclash/challengepack';
import type { AgentTool, CallTiming, DeltaKind, FinishReason, SlotOutcome, Usage } from '@agentclash/domain';
import type { ProviderFailureClass } from '../failures/failure.js';

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

/**
 * Called when a call begins to wait for its account: for a slot, or for its next try. The returned function is called
 * when the wait ends.
 */
export type BeginWait = () => () => void;

/** Called when a try failed and another one follows. The message may be shown to users. */
export type OnFailedTry = (failed: { failure: ProviderFailureClass; message: string }) => void;

export interface ModelRequest {
  messages: readonly Message[];
  tools: readonly AgentTool[];
  /** JSON Schema of the reply; used where the provider can enforce it. */
  outputSchema?: JsonObject;
  /** Cancels the call; carries the deadline of the work that it is part of. */
  signal: AbortSignal;
  beginWait?: BeginWait | undefined;
  onFailedTry?: OnFailedTry | undefined;
  /** Called with each fragment of the reply. */
  onDelta?: (delta: { kind: DeltaKind; text: string }) => void;
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
  /** Set where no call was made: the reply is one that was kept. */
  servedFrom?: ReplySource;
}

/** Where a reply comes from that no provider was called for. */
export type ReplySource = 'replay' | 'cache';

/** A part of a request, by which requests of two attempts are compared. */
export interface RequestPart {
  /** In the body, as in `messages[2]`. */
  path: string;
  /** JSON. */
  text: string;
  digest: string;
}

/** Tokens of a request and of its replies, at most. */
export interface TokenBound {
  input: number;
  output: number;
}

/** A request of a program, in the provider's own protocol. */
export interface ForwardRequest {
  /** Below the account's base URL, query included. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The parts of the body, where replies are kept or served. */
  parts?: readonly RequestPart[];
  /** The headers that carry the account's key. */
  credential(key: string): Record<string, string>;
  /** The most that it can use, by which it is reserved in a budget; absent for a request that costs nothing. */
  tokensMax?: TokenBound;
  signal: AbortSignal;
  beginWait?: BeginWait | undefined;
  onFailedTry?: OnFailedTry | undefined;
}

/** A provider's reply with a status below 400, while it streams. */
export interface ForwardedReply {
  status: number;
  headers: Headers;
  /** Without the account's key. Fails where the connection does. */
  body: AsyncIterable<Uint8Array>;
  /** Set where no call was made: the reply is one that was kept. */
  servedFrom?: ReplySource;
  tries: number;
  /** Milliseconds from the request of the last try to the head of the reply. */
  ttftMs: number;
  timing: (ttftMs: number | null) => CallTiming;
  /**
   * Drops the connection if it is open, frees the slot, and counts the use in the budget: without a usage, all that was
   * reserved. Idempotent.
   */
  close(outcome: SlotOutcome, usage?: Usage): Promise<void>;
}

/** A model of a provider account, which handles retries, rate control and credentials itself. */
export interface Model {
  readonly providerKey: string;
  readonly name: string;
  /** Upper bound of the tokens of a reply, used to reserve budget. */
  readonly maxOutputTokens: number;
  /** The most that a call of these tokens can cost, whatever part is cached or reasoning; null without a price. */
  maxPriceOf(tokens: { input: number; output: number }): number | null;
  /** Cost of a call in US dollars; null when the model has no price. */
  priceOf(usage: PricedUsage): number | null;
  /** Throws ModelCallError and BudgetExhausted. */
  call(request: ModelRequest): Promise<ModelReply>;
}

/** A model that also takes requests in its provider's own protocol. */
export interface ForwardingModel extends Model {
  /** Throws ForwardError, BudgetExhausted, or the signal's reason when cancelled. */
  forward(request: ForwardRequest): Promise<ForwardedReply>;
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

/** A forwarded request that failed finally. */
export class ForwardError extends ModelCallError {
  constructor(
    error: ModelCallError,
    /** The provider's own message, without the credential: for the program that sent the request only. */
    readonly providerMessage: string | undefined,
    readonly providerCode: string | undefined,
  ) {
    super(error.failure, error.message, error.details);
  }
}
