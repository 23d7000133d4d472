import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AgentTool, formatBytes, type JsonValue, type Payload } from '@agentclash/domain';
import pLimit, { type LimitFunction } from 'p-limit';
import type { BrokerLimits } from '../limits.js';
import { type BrokerObserver, CallRefused } from '../observer.js';
import { readBody } from '../requests.js';
import { type McpMessage, RPC_ERRORS, readMcpMessage } from './message.js';

/** The end of a tool call, as the program receives it. */
export interface ToolCallResult {
  text: string;
  isError: boolean;
}

/** The tools of an attempt for its program. */
export interface BrokerTools {
  /** Fixed for the attempt. */
  list: readonly AgentTool[];
  /** Runs a call to its end, also when the program disconnects. Throws CallRefused. */
  call(call: { name: string; arguments: JsonValue }): Promise<ToolCallResult>;
}

export interface ToolEndpointOptions {
  tools: BrokerTools;
  observer: Pick<BrokerObserver, 'refused'>;
  limits: Pick<BrokerLimits, 'messageBytesMax' | 'toolCallsAtOnce' | 'toolResultBytesMax'>;
  /** Reads a message; default: on this thread. */
  read?: (body: Uint8Array) => Promise<McpMessage>;
  /** Aborts when the attempt takes no further call. */
  closing: AbortSignal;
}

/** Versions of the protocol whose parts used here are the same, the newest first. */
const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const SERVER_INFO = { name: 'agentclash', version: '1' };
const NAME_LENGTH_MAX = 128;

type Request = Extract<McpMessage, { kind: 'request' }>;
type Handler = (params: Payload) => Payload | Promise<Payload>;

/** An error for the client. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Serves tools by MCP: streamable HTTP without sessions, each request with one JSON reply. The list is fixed and the
 * server sends no messages of its own, so there is no stream to open.
 */
export class ToolEndpoint {
  /** Further calls wait in their order. */
  readonly #limited: LimitFunction;
  readonly #methods: Readonly<Record<string, Handler>> = {
    initialize: (params) => initialized(params),
    ping: () => ({}),
    'tools/list': () => ({ tools: this.options.tools.list.map(listedTool) }),
    'tools/call': (params) => this.#call(params),
  };

  constructor(private readonly options: ToolEndpointOptions) {
    this.#limited = pLimit(options.limits.toolCallsAtOnce);
  }

  /** Replies to one request, whose token has been checked. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return send(response, 405, undefined, { allow: 'POST' });
    const { observer, limits, read = async (bytes) => readMcpMessage(bytes) } = this.options;
    const body = await readBody(request, limits.messageBytesMax);
    if (body === 'too_large') {
      request.resume();
      observer.refused({ reason: 'too_large' });
      const message = `A message has at most ${formatBytes(limits.messageBytesMax)}.`;
      return send(response, 413, failure(null, RPC_ERRORS.invalidRequest, message));
    }
    const message = await read(body);
    if (message.kind === 'notification') return send(response, 202);
    if (message.kind === 'invalid') return send(response, 400, failure(null, message.code, message.message));
    send(response, 200, await this.#reply(message));
  }

  async #reply({ id, method, params }: Request): Promise<Payload> {
    const handler = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (handler === undefined) return failure(id, RPC_ERRORS.methodNotFound, 'There is no such method.');
    try {
      return { jsonrpc: '2.0', id, result: await handler(params) };
    } catch (error) {
      if (error instanceof RpcError) return failure(id, error.code, error.message);
      if (error instanceof CallRefused) return failure(id, RPC_ERRORS.refused, error.message);
      throw error;
    }
  }

  async #call({ name, arguments: args = {} }: Payload): Promise<Payload> {
    if (typeof name !== 'string' || name.length > NAME_LENGTH_MAX) {
      const message = `The name must be a string of up to ${NAME_LENGTH_MAX} characters.`;
      throw new RpcError(RPC_ERRORS.invalidParams, message);
    }
    const { tools, limits, closing } = this.options;
    const { text, isError } = await this.#limited(async () => {
      if (closing.aborted) throw new CallRefused('ended', 'The attempt has ended.');
      return await tools.call({ name, arguments: args as JsonValue });
    });
    const isTooLarge = Buffer.byteLength(text) > limits.toolResultBytesMax;
    const shown = isTooLarge ? `The result has more than ${formatBytes(limits.toolResultBytesMax)}.` : text;
    return { content: [{ type: 'text', text: shown }], isError: isError || isTooLarge };
  }
}

function initialized({ protocolVersion }: Payload): Payload {
  const [newest] = PROTOCOL_VERSIONS;
  const version = PROTOCOL_VERSIONS.find((each) => each === protocolVersion) ?? newest;
  return { protocolVersion: version, capabilities: { tools: {} }, serverInfo: SERVER_INFO };
}

/** Clients demand a schema of an object, which arguments are in any case. */
function listedTool({ name, description, parameters }: AgentTool): Payload {
  return { name, ...(description && { description }), inputSchema: { ...parameters, type: 'object' } };
}

function failure(id: Request['id'] | null, code: number, message: string): Payload {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function send(
  response: ServerResponse,
  status: number,
  body?: Payload,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { ...(body && { 'content-type': 'application/json' }), ...headers });
  response.end(body && JSON.stringify(body));
}
