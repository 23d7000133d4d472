import { type TextSource, textOfLines } from '@agentclash/agent-presets';
import { type A2aReply, readA2aReply } from './a2a-reply.js';
import { type AcpMessage, readAcpLines } from './acp-message.js';
import { type EndpointReply, readEndpointReply } from './endpoint-reply.js';
import { untrustedJson } from './json.js';
import { type McpServerMessage, readMcpEvents, readMcpLines, readMcpMessage } from './mcp-message.js';

interface Bytes {
  bytes: Uint8Array;
}
type LineSource = Extract<TextSource, { path: string[] }>;

/** The input of each form of replies: plain data, so that another thread can read it. */
interface Inputs {
  acp_lines: Bytes;
  mcp_lines: Bytes;
  mcp_message: Bytes;
  mcp_events: Bytes;
  a2a: Bytes;
  endpoint: Bytes;
  /** The standard output of a preset. */
  json_lines: Bytes & { source: LineSource };
}
export type ReplyForm = keyof Inputs;
export type ReplyTask<F extends ReplyForm = ReplyForm> = { form: F } & Inputs[F];

/** The members of a reply that the platform uses: plain data, and small but for texts. */
interface Results {
  acp_lines: AcpMessage[];
  mcp_lines: McpServerMessage[];
  mcp_message: McpServerMessage;
  mcp_events: McpServerMessage[];
  a2a: A2aReply | undefined;
  endpoint: EndpointReply | undefined;
  json_lines: string | undefined;
}
export type ReadReply<F extends ReplyForm> = Results[F];

type Readers = { [F in ReplyForm]: (input: Inputs[F]) => Results[F] };
const READERS: Readers = {
  acp_lines: ({ bytes }) => readAcpLines(bytes),
  mcp_lines: ({ bytes }) => readMcpLines(bytes),
  mcp_message: ({ bytes }) => readMcpMessage(bytes),
  mcp_events: ({ bytes }) => readMcpEvents(bytes),
  a2a: ({ bytes }) => readA2aReply(untrustedJson(bytes)),
  endpoint: ({ bytes }) => readEndpointReply(bytes),
  json_lines: ({ bytes, source }) =>
    textOfLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(), source),
};

/** Reads a reply of an agent or of a server of tools. Pure; its time and memory grow with the reply. */
export function readReply<F extends ReplyForm>(task: ReplyTask<F>): ReadReply<F> {
  const read: Readers[F] = READERS[task.form];
  return read(task);
}

interface ReadBounds {
  signal: AbortSignal;
  /** Excludes the time spent waiting for a thread from the attempt's. */
  exclude?: (ms: number) => void;
}

/**
 * Reads replies off the shared threads. `overrun`: the reply takes more time or memory to read than it may. Rejects with
 * the signal's reason.
 */
export type ReplyReader = <F extends ReplyForm>(
  task: ReplyTask<F>,
  bounds: ReadBounds,
) => Promise<ReadReply<F> | 'overrun'>;

/** Reads replies on the calling thread. */
export const readHere: ReplyReader = async (task) => readReply(task);
