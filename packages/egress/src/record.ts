interface Target {
  method: string;
  scheme: string;
  host: string;
  port: number;
}

/**
 * One entry of an attempt's history for each request that left (`completed`; `hops` counts the redirects before it,
 * `bytes` the response body on the wire) and each that got no response (`blocked`; the reason or the error's code).
 * Scheme, host and port are empty, empty and 0 when the URL could not be read.
 */
export type NetworkRecord =
  | {
      event_type: 'network.request.completed';
      payload: Target & { hops: number; status: number; bytes: number; duration_ms: number };
    }
  | { event_type: 'network.request.blocked'; payload: Target & { reason: string } };
