/** Plain data throughout, so that a script can be written as JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Tokens that a reply reports; `input` includes cached ones. */
export interface ScriptedUsage {
  input: number;
  output: number;
  cachedInput?: number;
  cacheWrite?: number;
  reasoning?: number;
}

export interface ScriptedCall {
  id?: string;
  name: string;
  /** Text is sent unchanged, so that it may be invalid JSON. */
  arguments: Json;
}

/** How a stream fails after its content, instead of ending normally. */
export type StreamEnd = 'cut' | 'end' | 'stall' | 'broken' | { error: ProviderError };

/** An error in the provider's format. */
export interface ProviderError {
  code?: string;
  message: string;
}

/** A streamed reply. */
export interface ScriptedReply {
  reasoning?: string;
  text?: string;
  /** The text is repeated until the client disconnects. */
  isEndless?: boolean;
  toolCalls?: readonly ScriptedCall[];
  /** Default: `tool_calls` when there are calls, else `stop`. */
  finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter';
  /** Default 10 in, 5 out. Null: not reported, where the wire format allows that. */
  usage?: ScriptedUsage | null;
  /** The model named in the reply; default: the requested one. */
  model?: string;
  id?: string;
  /** Characters of one fragment; default 16. */
  fragment?: number;
  /** Delay before each fragment. */
  dripMs?: number;
  ending?: StreamEnd;
}

/** A reply that is no stream, mostly an error. */
export interface ScriptedError {
  status: number;
  /** Sent in the provider's error format. */
  error?: ProviderError;
  /** Sent instead, as HTML. */
  html?: string;
  headers?: Readonly<Record<string, string>>;
}

/** The server's behaviour for one request. */
export type Behaviour =
  | ScriptedReply
  | ScriptedError
  /** Never responds. */
  | { silent: true }
  /** These bytes with status 200. */
  | { raw: string; contentType?: string };

/** One received request. */
export interface ModelServerRequest {
  wire: 'openai' | 'anthropic';
  path: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: { [key: string]: Json };
}
