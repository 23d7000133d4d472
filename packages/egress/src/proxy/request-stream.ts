import { Duplex } from 'node:stream';

/** Pieces until there is a request, and of its body: what is pipelined behind it is read in the last one at most. */
const HEAD_PIECE_BYTES = 256;
const BODY_PIECE_BYTES = 1_024;

/** The part of a request that shows whether all of it has been read. */
interface Completed {
  complete: boolean;
}

/**
 * A connection of which a server reads one request. Node.js parses all requests in the bytes that it is given, also those
 * that it drops, and 200 of them cost six times as much as one: it is given little at a time, and nothing after the first.
 */
export class RequestStream extends Duplex {
  #request: Completed | undefined;
  #isTunnel = false;
  #onDrain: (() => void) | undefined;

  constructor(private readonly connection: Duplex) {
    super({ allowHalfOpen: true });
    this.on('error', () => {}); // its user learns from `close`
    connection.on('data', (chunk: Buffer) => this.#take(chunk));
    connection.once('end', () => this.push(null));
    connection.once('close', () => this.destroy());
    connection.on('error', () => {});
  }

  /** The server has read the head of this request. */
  began(request: Completed): void {
    this.#request = request;
  }

  /** Everything that comes belongs to the tunnel that the request opened. */
  becomeTunnel(): void {
    this.#isTunnel = true;
  }

  /** A server is to read a request from it, as at the beginning. */
  expectRequest(): void {
    this.#isTunnel = false;
    this.#request = undefined;
  }

  override _read(): void {
    this.connection.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.connection.write(chunk, encoding)) done();
    else {
      this.#onDrain = done;
      this.connection.once('drain', () => this.#drained());
    }
  }

  override _final(done: () => void): void {
    this.connection.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.connection.destroy();
    this.#drained();
    done(error);
  }

  #drained(): void {
    const done = this.#onDrain;
    this.#onDrain = undefined;
    done?.();
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    let isBelowLimit = true;
    while (rest.length > 0 && !this.destroyed) {
      if (!this.#isTunnel && this.#request?.complete === true) break;
      const piece = rest.subarray(0, this.#pieceBytes());
      rest = rest.subarray(piece.length);
      isBelowLimit = this.push(piece);
    }
    if (!isBelowLimit) this.connection.pause();
  }

  #pieceBytes(): number {
    if (this.#isTunnel) return Number.POSITIVE_INFINITY;
    return this.#request === undefined ? HEAD_PIECE_BYTES : BODY_PIECE_BYTES;
  }
}
