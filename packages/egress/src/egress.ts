import { ByteBuffer } from './body/byte-buffer.js';
import { GuardedRequest } from './client/guarded-request.js';
import type { Egress, EgressRequest, EgressResult } from './client/request.js';
import type { Transport } from './client/transport.js';
import { checkSettings } from './guard/guard.js';
import type { ConnectorOptions } from './guard/pinned-connector.js';
import { DEFAULT_EGRESS_SETTINGS, type EgressSettings } from './guard/policy.js';
import { RecentChecks } from './guard/recent-checks.js';
import { type Resolve, systemResolve } from './guard/resolve.js';
import { EgressProxy } from './proxy/proxy.js';

export interface EgressOptions {
  settings?: EgressSettings;
  resolve?: Resolve;
  /** Milliseconds, for durations. */
  now?: () => number;
  /** Trust anchors in PEM, beside the usual ones. */
  extraCa?: string;
  /** Replaces the network in tests. */
  transport?: Transport;
  /** Receives the cause of a `connect_failed`, `tls_failed` or `response_failed`: for our log, never for users. */
  onCause?: (cause: unknown) => void;
}

/** Throws RangeError, naming every entry, when an operator setting cannot be read. */
export function createEgress(options: EgressOptions = {}): Egress {
  const { settings = DEFAULT_EGRESS_SETTINGS, resolve = systemResolve, onCause = () => {} } = options;
  checkSettings(settings);
  const now = options.now ?? (() => performance.now());
  const context = {
    settings,
    resolve,
    onCause,
    now,
    checks: new RecentChecks(now),
    transport:
      options.transport ??
      transportOnUse(options.extraCa === undefined ? { onCause } : { onCause, extraCa: options.extraCa }),
  };
  const open = async (request: EgressRequest) => new GuardedRequest(request, context).run();
  return {
    open,
    proxy: (wanted) => new EgressProxy(wanted, context),
    async request(request): Promise<EgressResult> {
      const { body, close: _, ...response } = await open(request);
      const whole = new ByteBuffer();
      for await (const chunk of body) whole.append(chunk);
      return { ...response, body: whole.bytes };
    },
  };
}

/** The transport over undici, loaded by the first hop: undici has over a hundred modules, and many runs send nothing. */
function transportOnUse(options: ConnectorOptions): Transport {
  let loaded: Promise<Transport> | undefined;
  return async (hop) => {
    loaded ??= import('./client/transport.js').then(({ undiciTransport }) => undiciTransport(options));
    return await (await loaded)(hop);
  };
}
