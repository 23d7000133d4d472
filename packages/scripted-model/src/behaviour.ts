import type { Payload, WireKey } from '@agentclash/domain';
import type { OfferedTool } from './apis/api.js';

/** A request as scripts see it. */
export interface ScriptedRequest {
  wire: WireKey;
  model: string;
  isStream: boolean;
  tools: readonly OfferedTool[];
  /** Results of tools in the conversation so far. */
  resultCount: number;
  body: Payload;
  /** True when the text occurs anywhere in the request. */
  contains(text: string): boolean;
}

/** The content of a reply; without a tool for its action, a text that states so. */
export type Action =
  | { text: string }
  /** A command line of a shell. */
  | { run: string }
  /** Reads a file: some agents refuse to write a file that they have not read. */
  | { read: string }
  | { write: { path: string; content: string } }
  /** Calls a tool by its name; a tool of an MCP server also where the agent offers it below a prefix. */
  | { call: { name: string; arguments: Payload } };

/** How a reply is sent: whole, cut in the middle, or stalled there. */
export type Ending = 'complete' | 'cut' | 'stall';

export type Behaviour =
  | (Action & { ending?: Ending })
  /** An error of the provider. */
  | { status: number; message?: string; headers?: Readonly<Record<string, string>> }
  /** Never replies. */
  | { silent: true };

export type Script = (request: ScriptedRequest) => Behaviour;
