import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The treatment of bytes on their way. */
export type LinkState =
  /** They pass. */
  | 'open'
  /** Nothing passes, without an error: packets are dropped. New connections open, and stay silent. */
  | 'stalled'
  /** Connections are reset, and no new ones are taken. */
  | 'cut';

/** A link that can be stalled, cut and slowed down: a TCP proxy on loopback. */
export class TcpProxy {
  /** Added to every piece, in either direction. */
  latencyMs = 0;
  private state: LinkState = 'open';
  private readonly sockets = new Set<Socket>();
  private reopened: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: { port: number },
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  static async to(port: number): Promise<TcpProxy> {
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, { port });
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  become(state: LinkState): void {
    this.state = state;
    if (state === 'cut') for (const socket of this.sockets) socket.resetAndDestroy();
    if (state !== 'open') return;
    const waiting = this.reopened;
    this.reopened = [];
    for (const go of waiting) go();
  }

  async close(): Promise<void> {
    this.become('open');
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(near: Socket): void {
    if (this.state === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.target.port, '127.0.0.1');
    this.join(near, far);
    this.join(far, near);
  }

  private join(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.once('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
    from.on('error', () => to.destroy());
    from.setNoDelay();
    void this.carry(from, to).catch(() => to.destroy());
  }

  private async carry(from: Socket, to: Socket): Promise<void> {
    for await (const piece of from) {
      if (this.latencyMs > 0) await delay(this.latencyMs);
      while (this.state === 'stalled') await new Promise<void>((resolve) => this.reopened.push(resolve));
      if (!to.write(piece)) await once(to, 'drain');
    }
    to.end();
  }
}
