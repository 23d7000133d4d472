import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { SecureVersion } from 'node:tls';
import type { Certificate } from './self-signed.js';

export interface LoopbackServer {
  port: number;
  /** Connections accepted so far. */
  accepted(): number;
  /** Resolves when no connection is open. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export type TlsOptions = Certificate & {
  maxVersion?: SecureVersion;
  minVersion?: SecureVersion;
  ciphers?: string;
};

/** An HTTP (with a certificate: HTTPS) server on 127.0.0.1. */
export function serveHttp(handler: RequestListener, tls?: TlsOptions): Promise<LoopbackServer> {
  return listening(tls ? createSecureServer(tls, handler) : createServer(handler));
}

/** Counts and can drop the connections of any server, once it listens. */
export async function listening(server: Server): Promise<LoopbackServer> {
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
