import type { EgressPolicy } from '../guard/policy.js';
import type { NetworkRecord } from '../guard/record.js';
import type { EgressProxy, EgressProxyOptions } from '../proxy/proxy.js';

/** One guarded HTTP request. Redirects are followed within it, each checked again. */
export interface EgressRequest {
  /** Any case; GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS. */
  method: string;
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  policy: EgressPolicy;
  /** One deadline over lookup, connects, redirects and body: default 30 s; under a pack's policy at most 60 s. */
  timeoutMs?: number;
  /** Largest response body, on the wire and decompressed; default 5 MiB. */
  maxBytes?: number;
  /** Names of headers whose value holds a secret, in any case. */
  secretHeaders?: readonly string[];
  secretBody?: boolean;
  /**
   * For each secret in the request that is bound to origins: these, as `scheme://host:port` (see `isOriginAdmitted`). All
   * must admit every hop, also one that the secret itself does not reach.
   */
  secretOrigins?: readonly (readonly string[])[];
  signal?: AbortSignal;
  /** `return`: a redirect is the response. Default: it is followed. */
  redirects?: 'follow' | 'return';
  /**
   * Connections are kept for later requests with the same name here, the same policy and the same origin, and so is the
   * check of the addresses, for seconds. To be named after what may share them, such as an account. Absent: the request
   * has connections of its own.
   */
  pool?: string;
  /** Receives every request that left and every one that was stopped, redirects included. */
  onHop?: (record: NetworkRecord) => void;
}

/** The response of the last hop, of any status. */
interface EgressResponse {
  status: number;
  /** Lower-case names; a repeated header is joined with `, `. */
  headers: Record<string, string>;
  /** The final URL, without fragment. */
  url: string;
  /** Redirects followed. */
  hops: number;
}

export interface EgressResult extends EgressResponse {
  /** Decompressed. */
  body: Uint8Array;
}

export interface EgressStream extends EgressResponse {
  /** Decompressed chunks; throws EgressError. The request's deadline covers it. Leaving the loop closes the connection. */
  body: AsyncIterable<Uint8Array>;
  /** Drops the connection when the body is not wanted. */
  close(): void;
}

/** The guarded HTTP client. Every failure is an EgressError. */
export interface Egress {
  /** The whole response in memory. */
  request(request: EgressRequest): Promise<EgressResult>;
  /** The response as soon as its headers are here. */
  open(request: EgressRequest): Promise<EgressStream>;
  /** A proxy under the same rules, for processes without a network. To be closed. */
  proxy(options: EgressProxyOptions): EgressProxy;
}
