import type { Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDeadline } from '../guard/deadline.js';
import { EgressError } from '../guard/errors.js';
import { createGuard } from '../guard/guard.js';
import { connectPinned } from '../guard/pinned-connector.js';
import type { EgressSettings } from '../guard/policy.js';
import { HopLog } from '../guard/record.js';
import type { Resolve } from '../guard/resolve.js';
import { type ReadUrl, readUrl } from '../guard/url.js';
import { checkAddresses, type UrlViolation } from '../guard/url-check.js';
import { RequestPace } from './pace.js';
import type { EgressProxyLimits, EgressProxyOptions, OutgoingRequest } from './proxy.js';

/** Lookup and connection together. */
const CONNECT_MS = 15_000;

export interface ProxyContext {
  settings: EgressSettings;
  resolve: Resolve;
  now: () => number;
  onCause: (cause: unknown) => void;
}

/** The shared context of all connections of one proxy: the policy, the log and the allowance of bytes. */
export interface Gate {
  readonly limits: EgressProxyLimits;
  readonly isClosed: boolean;
  /** Waits until one request may be sent, and until the records are taken. False when the proxy is closed. */
  admit(): Promise<boolean>;
  log(method: string, target: string): HopLog;
  /** Counts one request. Throws EgressError when the proxy has handled as many as it may. */
  count(): void;
  /** Reads and checks a URL without a lookup. Throws EgressError. */
  read(target: string): ReadUrl;
  mayLeave(request: OutgoingRequest): boolean;
  /** A connection to a checked address. Throws EgressError. */
  connect(target: ReadUrl): Promise<Socket>;
  /** Takes bytes off the allowance; false when it is used up. */
  spend(bytes: number): boolean;
  /** Any other error is an exchange that broke off. */
  asEgressError(error: unknown): EgressError;
  close(): void;
}

export function openGate(
  options: EgressProxyOptions & { limits: EgressProxyLimits },
  context: ProxyContext,
): Gate {
  const guard = createGuard(options.policy, context.settings);
  const closing = new AbortController();
  let bytesLeft = options.limits.bytesMax;
  const pace = new RequestPace(options.limits);
  return {
    limits: options.limits,
    get isClosed() {
      return closing.signal.aborted;
    },
    async admit() {
      const waitMs = pace.reserve(context.now());
      const { signal } = closing;
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await options.drained?.();
      return !signal.aborted;
    },
    count() {
      if (!pace.spend()) throw new EgressError('egress_blocked', { reason: 'requests_limit' });
    },
    log: (method, target) =>
      new HopLog({
        method,
        target,
        now: context.now,
        report: (record) => {
          if (record.event_type === 'network.request.blocked') pace.refused(context.now());
          options.onHop?.(record);
        },
      }),
    read(target) {
      const read = readUrl(target, guard);
      if (typeof read === 'string') throw new EgressError('egress_blocked', { reason: read });
      return read;
    },
    mayLeave: (request) => options.mayLeave?.(request) ?? true,
    async connect(read) {
      const deadline = startDeadline(CONNECT_MS, () => new EgressError('timeout'), closing.signal);
      try {
        const { signal } = deadline;
        const verdict = await checkAddresses(read, { guard, resolve: context.resolve, signal });
        if (!verdict.allowed) throw refused(verdict.reason);
        const target = { ...verdict, signal };
        const socket = await connectPinned(target, { onCause: context.onCause, isSecure: false });
        options.onConnect?.({ host: read.host, port: read.port });
        return socket;
      } catch (error) {
        if (closing.signal.aborted) throw new EgressError('aborted');
        if (error instanceof EgressError) {
          options.onConnect?.({ host: read.host, port: read.port, failure: error.reason ?? error.code });
        }
        throw error;
      } finally {
        deadline.end();
      }
    },
    spend(bytes) {
      bytesLeft -= bytes;
      return bytesLeft >= 0;
    },
    asEgressError(error) {
      if (error instanceof EgressError) return error;
      context.onCause(error);
      return new EgressError('response_failed');
    },
    close: () => closing.abort(),
  };
}

function refused(reason: UrlViolation): EgressError {
  return reason === 'dns_failed'
    ? new EgressError('dns_failed')
    : new EgressError('egress_blocked', { reason });
}

/** A stream that passes everything on, counts it, and breaks off when the allowance of the proxy is used up. */
export function metered(gate: Gate): { stream: Transform; bytes: () => number } {
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (gate.spend(chunk.length)) done(null, chunk);
      else done(new EgressError('egress_blocked', { reason: 'bytes_limit' }));
    },
  });
  return { stream, bytes: () => bytes };
}
