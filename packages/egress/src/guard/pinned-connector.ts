import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { rootCertificates, connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { EgressError } from './errors.js';
import { holdingEnd } from './held-end.js';

export interface PinnedTarget {
  host: string;
  port: number;
  pinned: readonly string[];
  signal: AbortSignal;
}

export interface ConnectorOptions {
  /** Trust anchors in PEM, beside the usual ones. */
  extraCa?: string;
  /** Receives the cause of a failure; the error thrown does not contain it. */
  onCause: (cause: unknown) => void;
}

// A first address that swallows packets must not use up the whole deadline.
const ATTEMPT_MS = 3000;

/**
 * Connects to the pinned addresses in their order, by address, so that no name is looked up on the way. Fails with
 * EgressError `connect_failed` or `tls_failed`.
 */
export function pinnedConnector(target: PinnedTarget, options: ConnectorOptions): buildConnector.connector {
  return ({ protocol }, callback) => {
    connectPinned(target, { ...options, isSecure: protocol === 'https:' }).then(
      (socket) => callback(null, holdingEnd(socket)),
      (error: Error) => callback(error, null),
    );
  };
}

/** The same for one plain or TLS connection. Rejects with EgressError, or with the signal's reason. */
export async function connectPinned(
  target: PinnedTarget,
  options: ConnectorOptions & { isSecure: boolean },
): Promise<Socket> {
  let failure = new EgressError('connect_failed');
  for (const [index, address] of target.pinned.entries()) {
    target.signal.throwIfAborted();
    const isLast = index === target.pinned.length - 1;
    try {
      const socket = await connected(
        tcpConnect({ host: address, port: target.port, noDelay: true, keepAlive: true }),
        'connect',
        { signal: target.signal, timeoutMs: isLast ? undefined : ATTEMPT_MS },
      );
      return options.isSecure ? await secured(socket, target, options) : socket;
    } catch (error) {
      target.signal.throwIfAborted();
      if (error instanceof EgressError) failure = error;
      else options.onCause(error);
    }
  }
  throw failure;
}

async function secured(
  socket: Socket,
  { host, signal }: PinnedTarget,
  { extraCa, onCause }: ConnectorOptions,
): Promise<Socket> {
  const secure = tlsConnect({
    socket,
    // The certificate must be good for `host`; an address is checked but not sent as a name.
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] }),
  });
  try {
    return await connected(secure, 'secureConnect', { signal });
  } catch (error) {
    signal.throwIfAborted();
    onCause(error);
    throw new EgressError('tls_failed');
  }
}

/** Waits for the event; on an error, the signal or the time limit the socket is destroyed and the promise rejects. */
function connected(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs?: number | undefined },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      settle();
      // A late error of a socket that has no waiting caller must not be thrown.
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    };
    const succeed = () => {
      settle();
      resolve(socket);
    };
    const abort = () => fail(signal.reason);
    const close = () => fail(new Error('closed before it was ready'));
    const timer = timeoutMs && setTimeout(() => fail(new Error('no response in time')), timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      socket.off(event, succeed).off('error', fail).off('close', close);
      signal.removeEventListener('abort', abort);
    };
    socket.once(event, succeed).once('error', fail).once('close', close);
    signal.addEventListener('abort', abort, { once: true });
  });
}
