import { hostOf } from './host-name.js';

interface Target {
  method: string;
  scheme: string;
  host: string;
  port: number;
}

interface Completion {
  hops: number;
  status: number;
  bytes: number;
}

/**
 * One entry of an attempt's history for each request that left (`completed`; `hops` counts the redirects before it,
 * `bytes` the response body on the wire) and each that got no response (`blocked`; the reason or the error's code).
 * Scheme, host and port are empty, empty and 0 when the URL could not be read.
 */
export type NetworkRecord =
  | { event_type: 'network.request.completed'; payload: Target & Completion & { duration_ms: number } }
  | { event_type: 'network.request.blocked'; payload: Target & { reason: string } };

export interface HopLogOptions {
  method: string;
  target: string;
  now: () => number;
  report: (record: NetworkRecord) => void;
}

/** Reports one hop, once. */
export class HopLog {
  /** May change until the hop is reported: a redirect can turn POST into GET. */
  method: string;
  private isReported = false;
  private readonly startedAt: number;

  constructor(private readonly options: HopLogOptions) {
    this.method = options.method;
    this.startedAt = options.now();
  }

  completed(completion: Completion): void {
    const duration = Math.round(this.options.now() - this.startedAt);
    this.report({
      event_type: 'network.request.completed',
      payload: { ...this.target(), ...completion, duration_ms: duration },
    });
  }

  blocked(reason: string): void {
    this.report({ event_type: 'network.request.blocked', payload: { ...this.target(), reason } });
  }

  private report(record: NetworkRecord): void {
    if (this.isReported) return;
    this.isReported = true;
    this.options.report(record);
  }

  private target(): Target {
    return { method: this.method, ...targetOf(this.options.target) };
  }
}

const DEFAULT_PORTS: Record<string, number> = { http: 80, https: 443 };

/** Also names the host of a URL that was refused: security rules look at where a request wanted to go. */
function targetOf(text: string): Omit<Target, 'method'> {
  if (!URL.canParse(text)) return { scheme: '', host: '', port: 0 };
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  const port = url.port === '' ? (DEFAULT_PORTS[scheme] ?? 0) : Number(url.port);
  return { scheme, host: hostOf(url), port };
}
