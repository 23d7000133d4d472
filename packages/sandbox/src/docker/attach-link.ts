import type { Duplex } from 'node:stream';
import type { InsideLink } from '../inside/wire.js';

const HEADER_BYTES = 8;
const STDOUT = 1;
const DETAIL_BYTES_MAX = 8_192;
const NOTHING = Buffer.alloc(0);

/** The streams of the first process of a container, as a link to the process inside. */
export class AttachLink implements InsideLink {
  /** The stream has ended; with what was written to stderr. Never rejects. */
  readonly closed: Promise<string>;
  #pending: Buffer = NOTHING;
  #detail = '';
  #listener: ((bytes: Buffer) => void) | undefined;

  constructor(
    private readonly socket: Duplex,
    private readonly onKill: () => void,
  ) {
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', ({ message }) => this.#addDetail(message));
    this.closed = new Promise((resolve) => {
      socket.on('end', () => socket.destroy());
      socket.on('close', () => resolve(this.#detail.trim()));
    });
  }

  send(bytes: Buffer): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  onBytes(listener: (bytes: Buffer) => void): void {
    this.#listener = listener;
  }

  kill(): void {
    this.close();
    this.onKill();
  }

  /** The process inside ends when its input does. */
  close(): void {
    this.socket.destroy();
  }

  /** Parts as `[stream, 0, 0, 0, length of 4 bytes, big-endian]` and the bytes; what arrives of one is passed on at once. */
  #onData(chunk: Buffer): void {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    let at = 0;
    while (bytes.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + bytes.readUInt32BE(at + 4);
      if (end > bytes.length) break;
      const payload = bytes.subarray(at + HEADER_BYTES, end);
      if (bytes[at] === STDOUT) this.#listener?.(payload);
      else this.#addDetail(payload.toString());
      at = end;
    }
    this.#pending = bytes.subarray(at);
  }

  #addDetail(text: string): void {
    this.#detail = (this.#detail + text).slice(0, DETAIL_BYTES_MAX);
  }
}
