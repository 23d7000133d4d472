import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { SecureVersion } from 'node:tls';
import type { EgressRequest, EgressResult } from '../client/request.js';
import { createEgress, type EgressOptions } from '../egress.js';
import { EgressError } from '../guard/errors.js';
import type { Certificate } from './self-signed.js';

/** A policy under which a test may reach its own servers. */
export const LOOPBACK = { kind: 'pack', allowlist: ['127.0.0.0/8'] } as const;
export const MIB = 1024 * 1024;

const servers: LoopbackServer[] = [];

export async function closeServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()));
}

export async function serve(handler: RequestListener, tls?: TlsOptions): Promise<LoopbackServer> {
  const server = await serveHttp(handler, tls);
  servers.push(server);
  return server;
}

export async function serveTcp(onSocket: (socket: Socket) => void): Promise<LoopbackServer> {
  const server = await listening(createTcpServer(onSocket));
  servers.push(server);
  return server;
}

/** Every name is this machine. */
export const toLoopback = async () => ['127.0.0.1'];

export function get(
  url: string,
  more: Partial<EgressRequest> = {},
  options: EgressOptions = {},
): Promise<EgressResult> {
  const egress = createEgress({ resolve: toLoopback, ...options });
  return egress.request({ method: 'GET', url, policy: LOOPBACK, ...more });
}

export async function failureOf(promise: Promise<unknown>): Promise<EgressError> {
  const outcome = await promise.catch((error: unknown) => error);
  if (outcome instanceof EgressError) return outcome;
  throw new Error('the request did not fail as a guarded one does', { cause: outcome });
}

export function respondWith(body: Buffer | string, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => response.writeHead(200, headers).end(body);
}

interface LoopbackServer {
  port: number;
  /** Connections accepted so far. */
  accepted(): number;
  /** Resolves when no connection is open. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

type TlsOptions = Certificate & {
  maxVersion?: SecureVersion;
  minVersion?: SecureVersion;
  ciphers?: string;
};

/** An HTTP (with a certificate: HTTPS) server on 127.0.0.1. */
function serveHttp(handler: RequestListener, tls?: TlsOptions): Promise<LoopbackServer> {
  return listening(tls ? createSecureServer(tls, handler) : createServer(handler));
}

/** Counts and can drop the connections of any server, once it listens. */
async function listening(server: Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  let onIdle = () => {};
  server.on('connection', (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) onIdle();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    idle: () =>
      new Promise((resolve) => {
        onIdle = resolve;
        if (sockets.size === 0) resolve();
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
