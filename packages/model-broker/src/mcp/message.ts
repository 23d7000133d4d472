import { isRecord, type Payload } from '@agentclash/domain';
import { parsedJson } from '../wires/json.js';

type McpRequestId = string | number;

/** Error codes of JSON-RPC 2.0. */
export const RPC_ERRORS = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  /** Of a server's own choice: the attempt takes no further call. */
  refused: -32_000,
} as const;

/** A message of an MCP client. Plain data, so that another thread can read it. */
export type McpMessage =
  | { kind: 'request'; id: McpRequestId; method: string; params: Payload }
  /** A notification, or a reply to a request that a server never sent: it receives no reply. */
  | { kind: 'notification' }
  | { kind: 'invalid'; code: number; message: string };

const ID_LENGTH_MAX = 256;

/** Reads a message of JSON-RPC 2.0. Pure. */
export function readMcpMessage(body: Uint8Array): McpMessage {
  const value = parsedJson(body);
  if (value === undefined) return invalid('The body is not JSON.', RPC_ERRORS.parse);
  if (Array.isArray(value)) return invalid('Batches are not supported: send one message.');
  if (!isRecord(value) || value.jsonrpc !== '2.0') return invalid('The body is no message of JSON-RPC 2.0.');
  const { id, method, params = {} } = value;
  if (method === undefined || id === undefined) return { kind: 'notification' };
  if (typeof method !== 'string') return invalid('The method must be a string.');
  if (!isRequestId(id)) return invalid(`The id must be a number or a string of up to ${ID_LENGTH_MAX}.`);
  if (!isRecord(params)) return invalid('The params must be an object.', RPC_ERRORS.invalidParams);
  return { kind: 'request', id, method, params };
}

function isRequestId(id: unknown): id is McpRequestId {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= ID_LENGTH_MAX);
}

function invalid(message: string, code: number = RPC_ERRORS.invalidRequest): McpMessage {
  return { kind: 'invalid', code, message };
}
