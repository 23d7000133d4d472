import type { WebSocket } from 'undici';
import type { InsideLink } from '../inside/wire.js';
import type { LinkEnd } from '../remote/remote-sandbox.js';

/** First byte of every message of `channel.k8s.io`. */
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3 } as const;
const PIECE_BYTES = 128 << 10;
const STDERR_BYTES_MAX = 8_192;

/** One command in a pod, as a link to the process inside. */
export class ExecLink implements InsideLink {
  readonly ended: Promise<LinkEnd>;
  #exitCode: number | undefined;
  #detail = '';
  #listener: ((bytes: Buffer) => void) | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly onKill: () => void,
  ) {
    socket.addEventListener('message', ({ data }) => this.#onMessage(Buffer.from(data as ArrayBuffer)));
    socket.addEventListener('error', ({ message }) => this.#addDetail(message));
    this.ended = new Promise((resolve) => {
      socket.addEventListener('close', ({ reason }) => {
        this.#addDetail(reason);
        resolve({ exitCode: this.#exitCode, detail: this.#detail.trim() });
      });
    });
  }

  send(bytes: Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.socket.send(Buffer.concat([Buffer.from([CHANNEL.stdin]), bytes.subarray(at, at + PIECE_BYTES)]));
    }
  }

  onBytes(listener: (bytes: Buffer) => void): void {
    this.#listener = listener;
  }

  kill(): void {
    this.close();
    this.onKill();
  }

  close(): void {
    this.socket.close();
  }

  #onMessage(message: Buffer): void {
    const [channel, payload] = [message[0], message.subarray(1)];
    if (channel === CHANNEL.stdout && payload.length > 0) this.#listener?.(payload);
    if (channel === CHANNEL.stderr) this.#addDetail(payload.toString());
    if (channel === CHANNEL.status) this.#exitCode = exitCodeOf(payload.toString());
  }

  #addDetail(text: string): void {
    this.#detail = (this.#detail + text).slice(0, STDERR_BYTES_MAX);
  }
}

/** A `Status` object: success, or a failure whose cause names the code. */
function exitCodeOf(text: string): number | undefined {
  try {
    const { status, details } = JSON.parse(text) as {
      status?: string;
      details?: { causes?: { reason?: string; message?: string }[] };
    };
    if (status === 'Success') return 0;
    const code = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
    return code === undefined ? undefined : Number(code);
  } catch {
    return undefined;
  }
}
