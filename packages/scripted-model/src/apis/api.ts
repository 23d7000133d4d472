import type { Payload } from '@agentclash/domain';

/** A tool that a request offers. */
export interface OfferedTool {
  name: string;
  /** `custom` takes text, in which Codex expects JavaScript. */
  kind: 'function' | 'custom';
  namespace?: string;
  /** JSON Schema of its arguments. */
  parameters: Payload;
}

/** A reply before it is written in an API. */
export type Reply = { id: string; model: string; text: string } & (
  | { call?: undefined }
  | { call: { tool: OfferedTool; arguments: Payload } | { tool: OfferedTool; input: string } }
);

export const USAGE = { input: 1_200, cached: 200, output: 34, reasoning: 5 };

/** A reply as an API sends it: whole, and as the frames of a stream. */
interface WrittenReply {
  whole: Payload;
  frames: string[];
}

export interface Api {
  write(reply: Reply): WrittenReply;
  error(error: { status: number; message: string }): Payload;
}
