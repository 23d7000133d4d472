import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, type BusLogin, count, type Outcomes, repeatedly } from './attack.js';

const CONNECTIONS = { short: 2, whole: 4 } as const;
/** Messages that a connection sends at a time, of some 60 KiB: 12 MB/s for each connection. */
const TOGETHER = 4;
const SEND_EVERY_MS = 20;
const JUNK = Buffer.alloc(60 * 1_024, '{');
/** A client of the library does not send more than the server's advertised maximum. */
const OVERSIZE = Buffer.alloc(8_192 * 1_024, '{');
const OVERSIZE_EVERY_MS = 200;

/** An internal service that sends junk instead of requests for runs, some of it larger than it may be. */
export const busApiFlood: Attack = {
  summary: 'junk instead of requests for runs, on the message bus',
  expected: [/^stored$/, /^connection closed$/, /^refused: maximum messages per subject exceeded$/],
  required: /^refused: maximum payload violation$/,
  start: async ({ bus, scale }) => {
    const outcomes: Outcomes = {};
    const ends = [
      ...Array.from({ length: CONNECTIONS[scale] }, () => flood(bus, outcomes)),
      repeatedly(1, () => sendOversize(bus, outcomes)),
    ];
    return {
      end: async () => {
        await Promise.all(ends.map((end) => end()));
        return outcomes;
      },
    };
  },
};

/** One connection at a time; another one when the server has closed it. */
function flood(bus: BusLogin, outcomes: Outcomes): () => Promise<Outcomes> {
  let client: RawBusClient | undefined;
  const end = repeatedly(1, async () => {
    if (client === undefined || client.isClosed) {
      if (client !== undefined) count(outcomes, 'connection closed');
      client = new RawBusClient(bus, (outcome) => count(outcomes, outcome));
    }
    for (let sent = 0; sent < TOGETHER; sent += 1) client.publish(subjectOf(bus), JUNK);
    await client.drained();
    await delay(SEND_EVERY_MS);
  });
  return async () => {
    await end();
    await client?.close();
    return outcomes;
  };
}

async function sendOversize(bus: BusLogin, outcomes: Outcomes): Promise<void> {
  const client = new RawBusClient(bus, (outcome) => count(outcomes, outcome));
  client.publish(subjectOf(bus), OVERSIZE);
  await client.closed;
  await delay(OVERSIZE_EVERY_MS);
}

function subjectOf({ workspaceId }: BusLogin): string {
  return `job.runs.v1.request.${workspaceId}`;
}

const INBOX = '_INBOX.abuse';

/** Implements the protocol of nats-server without its rules: a client of the library would not send what is too large. */
class RawBusClient {
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
  const reason = /^-ERR '([^']*)'/.exec(line)?.[1];
  if (reason !== undefined) return `refused: ${reason.toLowerCase()}`;
  if (!line.startsWith('{')) return undefined;
  const { error, stream } = JSON.parse(line) as { error?: { description: string }; stream?: string };
  if (error !== undefined) return `refused: ${error.description}`;
  return stream === undefined ? undefined : 'stored';
}
