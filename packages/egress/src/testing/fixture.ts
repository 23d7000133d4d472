import type { RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { createEgress, type EgressOptions } from '../egress.js';
import { EgressError } from '../errors.js';
import type { EgressRequest, EgressResult } from '../request.js';
import { type LoopbackServer, listening, serveHttp, type TlsOptions } from './loopback-server.js';

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
