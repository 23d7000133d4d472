import type { JsonObject, JsonValue, WireKey } from '@agentclash/domain';
import type { Finish, ProviderError, ScriptedUsage } from './apis/api.js';

/** A tool that a request offers. */
export interface OfferedTool {
  name: string;
  /** `custom` takes text, in which Codex expects JavaScript. */
  kind: 'function' | 'custom';
  namespace?: string;
  /** JSON Schema of its arguments. */
  parameters: JsonObject;
}

/** A request as scripts see it. */
export interface ScriptedRequest {
  wire: WireKey;
  path: string;
  /** By lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: JsonObject;
  model: string;
  isStream: boolean;
  tools: readonly OfferedTool[];
  /** Results of tools in the conversation so far. */
  resultCount: number;
  /** True when the text occurs anywhere in the body. */
  contains(text: string): boolean;
}

/** A call as the script names it, whether the request offers such a tool or not. */
export interface ScriptedCall {
  id?: string;
  name: string;
  /** Text is sent unchanged, so that it may be invalid JSON. */
  arguments: JsonValue;
}

/** How a stream fails after its content, instead of ending normally. A whole reply is cut or stalls in its middle. */
export type StreamEnd = 'cut' | 'end' | 'stall' | 'broken' | { error: ProviderError };

interface ReplyOptions {
  /** Null: not reported, where the API allows that. */
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

/** A reply with this content. */
export interface ScriptedReply extends ReplyOptions {
  /** Where the API has a text for it: chat and anthropic. */
  reasoning?: string;
  text?: string;
  /** The text is repeated until the client disconnects. */
  isEndless?: boolean;
  toolCalls?: readonly ScriptedCall[];
  /** Default: `tool_calls` when there are calls, else `stop`. */
  finish?: Finish;
}

/** An action by a tool that the request offers; without one, the reply is a text that states so. */
export type Action =
  /** A command line of a shell. */
  | { run: string }
  /** Reads a file: some agents refuse to write a file that they have not read. */
  | { read: string }
  | { write: { path: string; content: string } }
  /** Calls a tool by its name; a tool of an MCP server also where the agent offers it below a prefix. */
  | { call: { name: string; arguments: JsonObject } };

/** A reply with a status of failure. */
export interface ScriptedError {
  status: number;
  /** Sent in the provider's format. */
  error?: ProviderError;
  /** Sent instead, as HTML. */
  html?: string;
  headers?: Readonly<Record<string, string>>;
}

/** The behaviour for one request. */
export type Behaviour =
  | ScriptedReply
  | (Action & ReplyOptions)
  | ScriptedError
  /** Never responds. */
  | { silent: true }
  /** These bytes with status 200. */
  | { raw: string; contentType?: string };

/** One behaviour, a list whose last entry repeats, or a function of the request. */
export type Script = Behaviour | readonly Behaviour[] | ((request: ScriptedRequest) => Behaviour);
