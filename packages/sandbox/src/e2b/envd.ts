import { FormData, request } from 'undici';
import { SandboxError } from '../sandbox-error.js';
import { CONNECTIONS } from './api.js';

const REQUEST_MS = 60_000;
/** The service closes streams that are silent for longer. */
const KEEPALIVE_SECONDS = '50';

export interface ProcessEvent {
  start?: { pid: number };
  /** Base64. */
  data?: { stdout?: string; stderr?: string };
  /** Absent for 0. */
  end?: { exitCode?: number };
}

export interface ProcessStart {
  cmd: string;
  args: readonly string[];
  user: 'root' | 'user';
  signal: AbortSignal;
}

/** The daemon in a sandbox of the service: its files over plain HTTP, its processes over the Connect protocol. */
export class Envd {
  constructor(
    private readonly url: string,
    private readonly token: string | undefined,
  ) {}

  async upload(path: string, bytes: Uint8Array): Promise<void> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), 'file');
    const query = new URLSearchParams({ path, username: 'root' });
    const { body, statusCode } = await request(`${this.url}/files?${query}`, {
      method: 'POST',
      dispatcher: CONNECTIONS,
      body: form,
      headers: this.#headers('root'),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const text = await body.text();
    if (statusCode >= 300) throw new Error(`upload: ${statusCode} ${text.slice(0, 500)}`);
  }

  /** The events of one process until it has ended; the first has its number. */
  async *start({ cmd, args, user, signal }: ProcessStart): AsyncGenerator<ProcessEvent> {
    const message = { process: { cmd, args, envs: {}, cwd: '/' }, stdin: true };
    const { body, statusCode } = await request(`${this.url}/process.Process/Start`, {
      method: 'POST',
      dispatcher: CONNECTIONS,
      signal,
      bodyTimeout: 0,
      headers: {
        ...this.#headers(user),
        'content-type': 'application/connect+json',
        'connect-protocol-version': '1',
        'keepalive-ping-interval': KEEPALIVE_SECONDS,
      },
      body: encodeEnvelope(message),
    });
    if (statusCode !== 200) throw new Error(`start: ${statusCode} ${(await body.text()).slice(0, 500)}`);
    for await (const { event } of decodeEnvelopes<{ event?: ProcessEvent }>(body)) if (event) yield event;
  }

  async sendInput(pid: number, bytes: Buffer): Promise<void> {
    const { body, statusCode } = await request(`${this.url}/process.Process/SendInput`, {
      method: 'POST',
      dispatcher: CONNECTIONS,
      signal: AbortSignal.timeout(REQUEST_MS),
      headers: {
        ...this.#headers('user'),
        'content-type': 'application/json',
        'connect-protocol-version': '1',
      },
      body: JSON.stringify({ process: { pid }, input: { stdin: bytes.toString('base64') } }),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`input: ${statusCode} ${text.slice(0, 500)}`);
  }

  /** Runs a command to its end. Throws `unavailable` unless it succeeds. */
  async run(argv: readonly [string, ...string[]]): Promise<void> {
    const [cmd, ...args] = argv;
    for await (const { end } of this.start({
      cmd,
      args,
      user: 'root',
      signal: AbortSignal.timeout(REQUEST_MS),
    })) {
      if (end && (end.exitCode ?? 0) === 0) return;
      if (end) throw new SandboxError('unavailable', `preparing the sandbox ended with ${end.exitCode}`);
    }
    throw new SandboxError('unavailable', 'preparing the sandbox broke off');
  }

  #headers(user: 'root' | 'user'): Record<string, string> {
    return {
      authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}`,
      ...(this.token === undefined ? {} : { 'x-access-token': this.token }),
    };
  }
}

/** Messages of a Connect stream: a flag byte, a length in four bytes (big endian), JSON. */

const HEADER_BYTES = 5;
const COMPRESSED = 1;
const END = 2;
const MESSAGE_BYTES_MAX = 64 << 20;

export function encodeEnvelope(message: object, flags = 0): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = flags;
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

/** Throws on a stream that ends with an error, or that is no such stream. */
export async function* decodeEnvelopes<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  let pending = Buffer.alloc(0);
  for await (const chunk of chunks) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES) {
      const flags = pending.readUInt8(0);
      const length = pending.readUInt32BE(1);
      if ((flags & COMPRESSED) !== 0 || length > MESSAGE_BYTES_MAX) throw new Error('unreadable stream');
      if (pending.length < HEADER_BYTES + length) break;
      const message = JSON.parse(pending.toString('utf8', HEADER_BYTES, HEADER_BYTES + length));
      pending = pending.subarray(HEADER_BYTES + length);
      if ((flags & END) === 0) yield message as T;
      else if (message.error) throw new Error(`${message.error.code}: ${message.error.message ?? ''}`);
    }
  }
}
