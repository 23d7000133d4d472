import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the product that can be cut and restored, as a network is. */
export class BreakableProxy {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  /** Connections that were taken so far. */
  taken = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
  ) {
    server.on('connection', (socket) => this.carry(socket));
  }

  static async before(url: string): Promise<BreakableProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const proxy = new BreakableProxy(server, { host: hostname, port: Number(port) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Breaks every connection, and refuses new ones until it is restored. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private carry(socket: Socket): void {
    if (this.isCut) {
      socket.destroy();
      return;
    }
    this.taken += 1;
    const onward = connect(this.target);
    for (const end of [socket, onward]) {
      this.sockets.add(end);
      end.on('error', () => end.destroy());
      end.on('close', () => {
        this.sockets.delete(end);
        socket.destroy();
        onward.destroy();
      });
    }
    socket.pipe(onward).pipe(socket);
  }
}
