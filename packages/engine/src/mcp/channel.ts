import type { Payload } from '@agentclash/domain';
import type { McpResult } from '../replies/mcp-message.js';
import type { RpcError } from '../replies/rpc-message.js';

/** Why a request to a server has no result. */
export type McpFailureCode =
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'malformed'
  /** The server replied with an error. */
  | 'refused';

/** Errors that a server causes by its own messages: it repeats them in every delivery. */
const PERMANENT: ReadonlySet<McpFailureCode> = new Set(['malformed', 'too_large']);

/** A request that failed; `message` is a text of the platform, but for `refused`, where it ends with the server's. */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';

  constructor(
    readonly code: McpFailureCode,
    message: string,
    /** A new connection would fail in the same way. */
    readonly isPermanent = PERMANENT.has(code),
  ) {
    super(message);
  }
}

/** The reply of a server that is an error of JSON-RPC. */
export function refusedRequest({ code, message }: Pick<RpcError, 'code' | 'message'>): McpFailure {
  return new McpFailure(
    'refused',
    `the server replied with an error: ${message}`,
    code !== undefined && !isServerError(code),
  );
}

/** Internal errors, and those that each server defines for itself (JSON-RPC 2.0, section 5.1). */
function isServerError(code: number): boolean {
  return code === -32_603 || (code >= -32_099 && code <= -32_000);
}

export interface RequestBounds {
  timeoutMs: number;
  /** Rejects with its reason. */
  signal: AbortSignal;
  /** Of the tool call that the request is for. */
  toolCallId?: string;
}

/** A connection to one server. */
export interface McpChannel {
  /** Throws McpFailure, or the signal's reason. */
  request(method: string, params: Payload, bounds: RequestBounds): Promise<McpResult>;
  notify(method: string, bounds: RequestBounds): Promise<void>;
  /** Ends the connection within bounds. Idempotent; never rejects. */
  close(): Promise<void>;
}

export const LIST_CHANGED = 'notifications/tools/list_changed';
