import type { FinishReason, JsonValue, Payload, Usage, WireKey } from '@agentclash/domain';

/** The parts of a model call that the broker decides by. */
export interface CallHead {
  /** The model that the program names; undefined when it names none. */
  model: string | undefined;
  isStream: boolean;
  /** Upper bound of the output of one reply, in tokens; null when the request sets none. */
  outputTokensMax: number | null;
  /** Replies to one request (`n`, `candidateCount`). */
  replies: number;
}

/** A message of a conversation in the form in which an attempt's history records it. */
export type WireMessage =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; text: string; tool_calls: WireToolCall[] }
  | { role: 'tool'; tool_call_id: string; result: string };

export interface WireToolCall {
  id: string;
  name: string;
  /** Parsed JSON; text where it is not JSON. */
  arguments: JsonValue;
}

export interface Conversation {
  messages: WireMessage[];
  /** Names of the offered tools. */
  tools: string[];
}

/** A provider's reply, whole or as far as its stream went. */
export interface WireReply {
  text: string;
  toolCalls: WireToolCall[];
  finishReason: FinishReason | null;
  usage: Usage;
  responseModel: string | null;
  responseId: string | null;
  /** False for a stream that ended before its last event. */
  isComplete: boolean;
  /** An error inside of a stream with status 200. */
  error: { type: string; message: string } | null;
}

/** Builds a reply from the JSON values of a stream's events. */
export interface ReplyReader {
  take(event: Payload): void;
  reply(): WireReply;
}

/** A part of a request that the broker removed, or refused the request for. */
export interface Restriction {
  /** Path in the body, as in `tools[2]`. */
  path: string;
  /** A server-side feature, as in `server tool web_search_20250305`. */
  feature: string;
}

export type Restricted =
  | { body: Payload; removed: Restriction[]; refused?: undefined }
  | { refused: Restriction };

interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: Payload;
}

/** The limit of a reply, and the provider, whose name for it may differ from that of others with the same API. */
export interface OutputMax {
  tokens: number;
  providerKey: string;
}

/** One protocol. All functions are pure; unknown fields of bodies are kept. */
export interface Wire {
  readonly key: WireKey;
  head(body: Payload, path: { model?: string; isStream?: boolean }): CallHead;
  /**
   * Takes out whatever the provider would execute, fetch or store by itself: only client functions and inline data pass.
   * Refused where the request makes no sense without the part (a document by URL, an earlier response by id).
   */
  restrict(body: Payload): Restricted;
  /** The body for the provider: its name of the model, and the settings that the broker needs (usage of a stream). */
  outgoing(body: Payload, model: string): Payload;
  /** The body with a limit of the tokens of each reply. */
  withOutputMax(body: Payload, max: OutputMax): Payload;
  /** The body of a call of a few tokens that every model accepts. */
  readonly smallestCall: Payload;
  /** Headers without which the provider refuses a call. */
  readonly requiredHeaders?: Readonly<Record<string, string>>;
  /** Path below the account's base URL, query included. */
  path(call: { model: string; isStream: boolean }): string;
  /** Path of the request that counts the tokens of a call; absent where the protocol has none. */
  countTokensPath?(model: string): string;
  credential(key: string): Record<string, string>;
  conversation(body: Payload): Conversation;
  reader(): ReplyReader;
  /** Reads a reply that is not a stream. */
  whole(body: Payload): WireReply;
  error(error: { status: number; type: string; message: string }): ErrorReply;
}
