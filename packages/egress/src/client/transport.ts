import { Client, errors } from 'undici';
import { EgressError } from '../guard/errors.js';
import { type ConnectorOptions, pinnedConnector } from '../guard/pinned-connector.js';
import { ACCEPT_ENCODING } from './body.js';
import type { Message } from './redirect.js';

/** One message to one place. Connections go to `pinned` addresses only; names in TLS and Host stay the URL's. */
export interface Hop extends Message {
  url: URL;
  /** The URL's host as an address, or a name without its final dot. */
  host: string;
  port: number;
  pinned: readonly string[];
  signal: AbortSignal;
}

export interface TransportResponse {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
  /** As on the wire, after transfer decoding. */
  body: AsyncIterable<Uint8Array>;
  close(): void;
}

/**
 * Sends one hop and follows nothing. Rejects with the signal's reason, with an EgressError, or with anything else for a
 * connection that broke off.
 */
export type Transport = (hop: Hop) => Promise<TransportResponse>;

const RESPONSE_HEADER_BYTES_MAX = 64 * 1024;

/**
 * One connection per hop over undici: nothing is pooled, so no later request can ride on an address that was checked
 * for another policy. A bare client uses no proxy, whatever the environment has.
 */
export function undiciTransport(options: ConnectorOptions): Transport {
  return async (hop) => {
    const client = new Client(hop.url.origin, {
      connect: pinnedConnector(hop, options),
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
      // The hop's signal is the only clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const close = () => void client.destroy().catch(() => {});
    try {
      const response = await client.request({
        path: `${hop.url.pathname}${hop.url.search}`,
        method: hop.method,
        headers: wireHeaders(hop),
        body: hop.body ?? null,
        signal: hop.signal,
        reset: true,
      });
      return { status: response.statusCode, headers: response.headers, body: response.body, close };
    } catch (error) {
      close();
      throw error instanceof errors.HeadersOverflowError ? new EgressError('response_too_large') : error;
    }
  };
}

function wireHeaders({ headers }: Hop): string[] {
  const own = [['accept-encoding', ACCEPT_ENCODING]];
  if (!headers.some(([name]) => name.toLowerCase() === 'user-agent')) own.push(['user-agent', 'agentclash']);
  return [...headers, ...own].flat();
}
