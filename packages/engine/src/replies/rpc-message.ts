import { isRecord, numberIn, type Payload, recordOf, textIn } from '@agentclash/domain';
import { untrustedJson } from './json.js';

export type RpcId = number | string;

/** A message of JSON-RPC 2.0, with the members of its sender. */
export type RpcMessage =
  | { kind: 'result'; id: number; result: unknown }
  | RpcError
  | { kind: 'request'; id: RpcId; method: string; params: Payload }
  | { kind: 'notification'; method: string; params: Payload };

export interface RpcError {
  kind: 'error';
  id: number;
  code: number | undefined;
  message: string;
}

/** Longer ids are no ids: they return with the response. */
const ID_LENGTH_MAX = 1_024;
const TEXT_LENGTH_MAX = 1_000;
const LINE_BREAK = 0x0a;

/** Undefined for bytes that are no message. */
export function readRpcMessage(bytes: Uint8Array): RpcMessage | undefined {
  const value = untrustedJson(bytes);
  if (!isRecord(value)) return undefined;
  const { id } = value;
  const method = textIn(value, 'method');
  if (method !== undefined) {
    const params = recordOf(value.params);
    if (id === undefined || id === null) return { kind: 'notification', method, params };
    return isId(id) ? { kind: 'request', id, method, params } : undefined;
  }
  // Requests of the platform have numbers.
  if (typeof id !== 'number') return undefined;
  const { error, result } = value;
  if (!isRecord(error)) return { kind: 'result', id, result };
  const message = (textIn(error, 'message') ?? '').slice(0, TEXT_LENGTH_MAX);
  return { kind: 'error', id, code: numberIn(error, 'code'), message };
}

function isId(id: unknown): id is RpcId {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= ID_LENGTH_MAX);
}

/** The lines that are not empty. */
export function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < bytes.length) {
    const lineBreak = bytes.indexOf(LINE_BREAK, start);
    const end = lineBreak < 0 ? bytes.length : lineBreak;
    if (end > start) yield bytes.subarray(start, end);
    start = end + 1;
  }
}
