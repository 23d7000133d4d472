import type { Duplex } from 'node:stream';
import type { InsideLink } from './link.js';
import { Tunnel } from './tunnel.js';
import type { Frame } from './wire.js';

/** The process inside opens no more at once. */
const TUNNELS_MAX = 64;

/** The connections out of one sandbox. */
export class Tunnels {
  onConnection: ((stream: Duplex) => void) | undefined;
  readonly #open = new Map<number, Tunnel>();

  constructor(private readonly link: InsideLink) {}

  /** Throws on what the process inside would not send. */
  onFrame(frame: Frame): void {
    if (frame.type === 'opened') {
      this.#accept(frame.taskId);
      return;
    }
    const tunnel = this.#open.get(frame.taskId);
    if (frame.type === 'exit') this.#open.delete(frame.taskId);
    if (tunnel && !tunnel.destroyed) tunnel.onFrame(frame);
  }

  close(): void {
    for (const tunnel of this.#open.values()) tunnel.onOver();
    this.#open.clear();
  }

  #accept(id: number): void {
    if (!this.onConnection || this.#open.has(id) || this.#open.size >= TUNNELS_MAX) {
      throw new RangeError('a connection that was not requested');
    }
    const tunnel = new Tunnel(id, this.link);
    this.#open.set(id, tunnel);
    this.onConnection(tunnel);
  }
}
