import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The open connections and how many requests each works on. Stopping has to wait for requests, and for nothing else:
 * Node by itself also waits for connections that have not asked for anything yet.
 */
export class Connections {
  private readonly requests = new Map<Socket, number>();
  private isDraining = false;

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.requests.set(socket, 0);
      socket.once('close', () => this.requests.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.count(socket, 1);
      response.once('close', () => this.count(socket, -1));
    });
  }

  /** Closes every connection as soon as it works on no request. */
  drain(): void {
    this.isDraining = true;
    for (const socket of this.requests.keys()) this.count(socket, 0);
  }

  private count(socket: Socket, change: number): void {
    const requests = (this.requests.get(socket) ?? 0) + change;
    if (!socket.destroyed) this.requests.set(socket, requests);
    if (this.isDraining && requests === 0) socket.destroySoon();
  }
}
