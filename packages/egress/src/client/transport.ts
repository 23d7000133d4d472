import { errors } from 'undici';
import { EgressError } from '../guard/errors.js';
import type { ConnectorOptions } from '../guard/pinned-connector.js';
import { ACCEPT_ENCODING } from './body.js';
import { Connection, IdleConnections } from './connections.js';
import type { Message } from './redirect.js';

/** One message to one place. Connections go to `pinned` addresses only; names in TLS and Host stay the URL's. */
export interface Hop extends Message {
  url: URL;
  /** The URL's host as an address, or a name without its final dot. */
  host: string;
  port: number;
  pinned: readonly string[];
  signal: AbortSignal;
  /** The connection is kept for later hops with the same key. Absent: it is used once. */
  pool?: string;
}

export interface TransportResponse {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
  /** As on the wire, after transfer decoding. */
  body: AsyncIterable<Uint8Array>;
  /** Drops the connection, unless it is kept and the body has been read to its end. Idempotent. */
  close(): void;
}

/**
 * Sends one hop and follows nothing. Rejects with the signal's reason, with an EgressError, or with anything else for a
 * connection that broke off.
 */
export type Transport = (hop: Hop) => Promise<TransportResponse>;

/**
 * Sends hops over undici. Without a `pool` each has a connection of its own, so that no later request can ride on an
 * address that was checked for another policy. A bare client uses no proxy, whatever the environment has.
 */
export function undiciTransport(options: ConnectorOptions): Transport {
  const idle = new IdleConnections();
  return async (hop) => {
    const kept = hop.pool === undefined ? undefined : idle.take(hop.pool, hop.pinned);
    try {
      if (kept) return await sent(kept, hop, idle);
    } catch (error) {
      // The server may have closed it before the request arrived: the failure of an idle connection is none of the request.
      if (hop.signal.aborted || !isLoss(error)) throw error;
    }
    return await sent(new Connection(hop.url.origin, hop, options), hop, idle);
  };
}

async function sent(connection: Connection, hop: Hop, idle: IdleConnections): Promise<TransportResponse> {
  const { pool } = hop;
  try {
    const { statusCode, headers, body } = await connection.client.request({
      path: `${hop.url.pathname}${hop.url.search}`,
      method: hop.method,
      headers: wireHeaders(hop),
      body: hop.body ?? null,
      signal: hop.signal,
      reset: pool === undefined,
    });
    let isClosed = false;
    const close = () => {
      if (isClosed) return;
      isClosed = true;
      if (pool !== undefined && body.readableEnded) idle.give(pool, connection);
      else connection.close();
    };
    return { status: statusCode, headers, body, close };
  } catch (error) {
    connection.close();
    throw error instanceof errors.HeadersOverflowError ? new EgressError('response_too_large') : error;
  }
}

const LOST_CODES = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isLoss(error: unknown): boolean {
  return error instanceof Error && 'code' in error && LOST_CODES.has(String(error.code));
}

function wireHeaders({ headers }: Hop): string[] {
  const own = [['accept-encoding', ACCEPT_ENCODING]];
  if (!headers.some(([name]) => name.toLowerCase() === 'user-agent')) own.push(['user-agent', 'agentclash']);
  return [...headers, ...own].flat();
}
