import type { Payload } from '@agentclash/domain';
import type { McpResult } from '../replies/mcp-message.js';

/** Why a request to a server has no result. */
export type McpFailureCode =
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'malformed'
  /** The server replied with an error. */
  | 'refused';

/** A request that failed; `message` is a text of the platform, but for `refused`, where it ends with the server's. */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';

  constructor(
    readonly code: McpFailureCode,
    message: string,
  ) {
    super(message);
  }
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
