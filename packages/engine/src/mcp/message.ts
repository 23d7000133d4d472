import { isUtf8 } from 'node:buffer';
import { isRecord, type Payload, textIn } from '@agentclash/domain';
import { parsedJson } from '@agentclash/model-broker';

/** A message of an MCP server. Plain data, so that another thread can read it. */
export type McpServerMessage =
  | { kind: 'result'; id: number; result: Payload }
  | { kind: 'error'; id: number; message: string }
  | { kind: 'request'; id: string | number; method: string }
  | { kind: 'notification'; method: string }
  | { kind: 'invalid' };

const INVALID: McpServerMessage = { kind: 'invalid' };
const TEXT_LENGTH_MAX = 1_000;

/** Reads a message of JSON-RPC 2.0. Pure. */
export function readServerMessage(bytes: Uint8Array): McpServerMessage {
  const value = isUtf8(bytes) ? parsedJson(bytes) : undefined;
  if (!isRecord(value) || value.jsonrpc !== '2.0') return INVALID;
  const { id, method, result, error } = value;
  if (typeof method === 'string') {
    if (id === undefined) return { kind: 'notification', method };
    return typeof id === 'number' || typeof id === 'string' ? { kind: 'request', id, method } : INVALID;
  }
  if (typeof id !== 'number') return INVALID;
  if (isRecord(result)) return { kind: 'result', id, result };
  if (!isRecord(error)) return INVALID;
  return { kind: 'error', id, message: (textIn(error, 'message') ?? '').slice(0, TEXT_LENGTH_MAX) };
}

/** Reads messages of servers; off the shared threads where they are long. */
export type ReadServerMessage = (bytes: Uint8Array, signal: AbortSignal) => Promise<McpServerMessage>;
