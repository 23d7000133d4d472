import { connect, type Socket } from 'node:net';
import type { BusLogin } from './attack.js';

const INBOX = '_INBOX.abuse';

/** Implements the protocol of nats-server without its rules: a client of the library would not send what is too large. */
export class RawBusClient {
  isClosed = false;
  /** Resolves once the server has closed the connection, or `close` was called. */
  readonly closed: Promise<void>;
  private readonly socket: Socket;
  private received = '';

  /** `onReply` gets `stored`, or `refused: ` with the server's reason, for each message. */
  constructor(
    { url, user, password }: BusLogin,
    private readonly onReply: (outcome: string) => void,
  ) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.closed = new Promise((resolve) => {
      this.socket.once('close', () => {
        this.isClosed = true;
        resolve();
      });
    });
    // The server closes the connection while it is written to.
    this.socket.on('error', () => {});
    this.socket.setEncoding('latin1').on('data', (text: string) => this.read(text));
    const login = { user, pass: password, verbose: false, pedantic: false, headers: true };
    this.socket.write(`CONNECT ${JSON.stringify(login)}\r\nSUB ${INBOX}.* 1\r\n`);
  }

  publish(subject: string, content: Buffer): void {
    this.socket.write(`PUB ${subject} ${INBOX}.reply ${content.length}\r\n`);
    this.socket.write(content);
    this.socket.write('\r\n');
  }

  /** Resolves once the server has taken what was written, or is gone. */
  async drained(): Promise<void> {
    if (this.isClosed || !this.socket.writableNeedDrain) return;
    const drained = new Promise<void>((resolve) => this.socket.once('drain', () => resolve()));
    await Promise.race([drained, this.closed]);
  }

  async close(): Promise<void> {
    this.socket.destroy();
    await this.closed;
  }

  /** Lines alone: a message's content is one of them, since replies are JSON in one line. */
  private read(text: string): void {
    const lines = (this.received + text).split('\r\n');
    this.received = lines.pop() ?? '';
    for (const line of lines) {
      const outcome = outcomeOf(line);
      if (outcome !== undefined) this.onReply(outcome);
      if (line === 'PING') this.socket.write('PONG\r\n');
    }
  }
}

function outcomeOf(line: string): string | undefined {
  const refusal = /^-ERR '([^']*)'/.exec(line)?.[1];
  if (refusal !== undefined) return `refused: ${refusal.toLowerCase()}`;
  if (!line.startsWith('{')) return undefined;
  const { error, stream } = JSON.parse(line) as { error?: { description: string }; stream?: string };
  if (error !== undefined) return `refused: ${error.description}`;
  return stream === undefined ? undefined : 'stored';
}
