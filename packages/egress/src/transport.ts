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
