/** Plain data throughout, so that a script can be written as JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Tokens that an answer reports; `input` includes what was cached. */
export interface AnswerUsage {
  input: number;
  output: number;
  cachedInput?: number;
  cacheWrite?: number;
  reasoning?: number;
}

export interface AnswerCall {
  id?: string;
  name: string;
  /** Text is sent as it stands, so that it may be no JSON at all. */
  arguments: Json;
}

/** How a stream goes on once its content is out, instead of ending well. */
export type StreamEnd = 'cut' | 'end' | 'stall' | 'broken' | { error: ProviderComplaint };

/** An error in the provider's own words. */
export interface ProviderComplaint {
  code?: string;
  message: string;
}

/** A streamed answer. */
export interface Answer {
  reasoning?: string;
  text?: string;
  /** The text comes again and again, until the client leaves. */
  isEndless?: boolean;
  toolCalls?: readonly AnswerCall[];
  /** Default: `tool_calls` when there are calls, else `stop`. */
  finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter';
  /** Default 10 in, 5 out. Null: not reported, where the wire format allows that. */
  usage?: AnswerUsage | null;
  /** What answers; default: the model that was asked for. */
  model?: string;
  id?: string;
  /** Characters of one fragment; default 16. */
  fragment?: number;
  /** Waits before each fragment. */
  dripMs?: number;
  ending?: StreamEnd;
}

/** A reply that is no stream: an error, mostly. */
export interface Refusal {
  status: number;
  /** Sent in the provider's error format. */
  error?: ProviderComplaint;
  /** Sent instead, as HTML. */
  html?: string;
  headers?: Readonly<Record<string, string>>;
}

/** What the server does with one request. */
export type Behaviour =
  | Answer
  | Refusal
  /** Never answers at all. */
  | { silent: true }
  /** These bytes with status 200. */
  | { raw: string; contentType?: string };

/** One request as it came. */
export interface ModelServerRequest {
  wire: 'openai' | 'anthropic';
  path: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: { [key: string]: Json };
}
