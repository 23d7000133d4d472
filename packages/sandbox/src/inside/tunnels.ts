import { Duplex } from 'node:stream';
import { encodeFrame, encodeNumber, type Frame, INPUT_WINDOW_BYTES, type InsideLink } from './wire.js';

/** The process inside opens no more to one port at once. */
const TUNNELS_MAX = 64;

/** The connections out of one sandbox. */
export class Tunnels {
  /** By port. */
  readonly #listeners = new Map<number, Listener>();
  readonly #open = new Map<number, { tunnel: Tunnel; listener: Listener }>();

  constructor(private readonly link: InsideLink) {}

  listen(port: number, onConnection: (stream: Duplex) => void): void {
    this.#listeners.set(port, { onConnection, open: 0 });
  }

  /** Throws on what the process inside would not send. */
  onFrame(frame: Frame): void {
    if (frame.type === 'opened') {
      this.#accept(frame.taskId, frame.payload);
      return;
    }
    const opened = this.#open.get(frame.taskId);
    if (opened === undefined) return;
    const { tunnel, listener } = opened;
    if (frame.type === 'exit') {
      this.#open.delete(frame.taskId);
      listener.open -= 1;
    }
    if (!tunnel.destroyed) tunnel.onFrame(frame);
  }

  close(): void {
    for (const { tunnel } of this.#open.values()) tunnel.onOver();
    this.#open.clear();
  }

  #accept(id: number, payload: Buffer): void {
    const listener = payload.length === 4 ? this.#listeners.get(payload.readUInt32LE()) : undefined;
    if (listener === undefined || this.#open.has(id) || listener.open >= TUNNELS_MAX) {
      throw new RangeError('a connection that was not requested');
    }
    const tunnel = new Tunnel(id, this.link);
    this.#open.set(id, { tunnel, listener });
    listener.open += 1;
    listener.onConnection(tunnel);
  }
}

/** Unacknowledged output a connection may have under way; the process inside keeps to it. */
const OUTPUT_WINDOW_BYTES = 256 << 10;
const PIECE_BYTES = 64 << 10;
/** Output is acknowledged in portions, each of which is a message: a short request has none. */
const ACKNOWLEDGED_BYTES_MIN = OUTPUT_WINDOW_BYTES / 4;

/** One connection that a command has opened to the port the host listens on inside. */
class Tunnel extends Duplex {
  #credit = INPUT_WINDOW_BYTES;
  /** Bytes that are not acknowledged, so that the process inside must wait once the window is full. */
  #unacknowledged = 0;
  #isOver = false;
  #onCredit: (() => void) | undefined;

  constructor(
    private readonly tunnelId: number,
    private readonly link: InsideLink,
  ) {
    // Only what was read is acknowledged: what Node.js would buffer beside it is not in the window.
    super({ allowHalfOpen: true, readableHighWaterMark: 1 });
    this.on('error', () => {}); // its user learns from `close`; an unhandled error would end the process
  }

  override _read(): void {
    if (this.#unacknowledged < ACKNOWLEDGED_BYTES_MIN) return;
    if (!this.#isOver) {
      this.link.send(encodeFrame('credit', this.tunnelId, encodeNumber(this.#unacknowledged)));
    }
    this.#unacknowledged = 0;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#send(chunk, done);
  }

  /** A part of a reply is written in pieces (its length, its bytes, its end): they are one message. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    if (!this.#isOver) this.link.send(encodeFrame('inputEnd', this.tunnelId));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A stream that has ended both ways destroys itself; what it has sent may still be on its way to the command.
    const hasEnded = this.readableEnded && this.writableFinished;
    if (!this.#isOver && !hasEnded) this.link.send(encodeFrame('cancel', this.tunnelId));
    this.#isOver = true;
    done(error);
  }

  /** Throws when the process inside does not keep to the window. */
  onFrame({ type, payload }: Frame): void {
    if (type === 'credit') this.#addCredit(payload.readUInt32LE(0));
    else if (type === 'outputEnd') this.push(null);
    else if (type === 'stdout') this.#receive(payload);
    else this.onOver();
  }

  /** The connection has ended inside. */
  onOver(): void {
    this.#isOver = true;
    this.push(null);
    if (!this.writableFinished) this.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#unacknowledged += chunk.length;
    if (this.#unacknowledged > OUTPUT_WINDOW_BYTES) throw new RangeError('more output than was acknowledged');
    if (this.push(chunk)) this._read();
  }

  #send(chunk: Buffer, done: (error?: Error) => void): void {
    if (this.#isOver || chunk.length === 0) {
      done();
      return;
    }
    const piece = chunk.subarray(0, Math.min(PIECE_BYTES, this.#credit));
    const rest = chunk.subarray(piece.length);
    if (piece.length > 0) {
      this.#credit -= piece.length;
      this.link.send(encodeFrame('input', this.tunnelId, piece));
    }
    if (rest.length === 0) done();
    else if (this.#credit > 0) this.#send(rest, done);
    else this.#onCredit = () => this.#send(rest, done);
  }

  #addCredit(bytes: number): void {
    this.#credit = Math.min(this.#credit + bytes, INPUT_WINDOW_BYTES);
    const wake = this.#onCredit;
    this.#onCredit = undefined;
    wake?.();
  }
}

interface Listener {
  onConnection: (stream: Duplex) => void;
  /** Connections that the process inside has not ended. */
  open: number;
}
