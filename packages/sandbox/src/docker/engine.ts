import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SandboxError } from '../sandbox-error.js';
import type { DaemonAddress } from './daemon-address.js';
import { EngineError } from './engine-error.js';
import type { EngineMessage, EngineVersion } from './engine-objects.js';

/** Of calls that do no long work. A start on a busy machine takes seconds. */
const CALL_MS = 60_000;
/** A pull or a build writes something more often. */
const SILENCE_MS = 10 * 60_000;
const MESSAGE_BYTES_MAX = 1 << 20;
const BODY_BYTES_MAX = 16 << 20;
/** The newest version whose fields we know; daemons serve older ones than their own. */
const VERSION_MAX = '1.44';
const PATH_STAT = 'x-docker-container-path-stat';

interface Sent {
  query?: Record<string, string>;
  /** JSON, or a tar archive. */
  body?: object | Readable | Buffer;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** The few calls of the Docker Engine API that sandboxes need. Throws EngineError, or `unavailable` where no daemon responds. */
export class Engine {
  #version: string | undefined;
  /** Between the daemon's clock, read from its responses, and this process's monotonic one. */
  #clockOffsetMs = Date.now() - performance.now();

  constructor(private readonly address: DaemonAddress) {}

  /** By the daemon's clock, in milliseconds; to the second. */
  now(): number {
    return performance.now() + this.#clockOffsetMs;
  }

  get<T>(path: string, sent: Sent = {}): Promise<T> {
    return this.json('GET', path, sent);
  }

  post<T>(path: string, sent: Sent = {}): Promise<T> {
    return this.json('POST', path, sent);
  }

  async json<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
    const bytes = await this.bytes(method, path, sent);
    return (bytes.length === 0 ? undefined : JSON.parse(bytes.toString())) as T;
  }

  /** The whole body; of no more than 16 MiB. */
  async bytes(method: string, path: string, sent: Sent = {}): Promise<Buffer> {
    const timeout = AbortSignal.timeout(CALL_MS);
    const signal = sent.signal ? AbortSignal.any([sent.signal, timeout]) : timeout;
    const response = await this.#respond(method, path, { ...sent, signal });
    return await bodyOf(response).catch((cause: unknown) => {
      sent.signal?.throwIfAborted();
      throw this.#unreachable(cause);
    });
  }

  /** The messages of long work, which ends when the iteration does. */
  async *messages(method: string, path: string, sent: Sent = {}): AsyncGenerator<EngineMessage> {
    const response = await this.#respond(method, path, sent);
    response.setTimeout(SILENCE_MS, () => response.destroy(new Error('the daemon sends nothing')));
    try {
      yield* messagesIn(response);
    } catch (cause) {
      sent.signal?.throwIfAborted();
      throw cause instanceof EngineError ? cause : this.#unreachable(cause);
    } finally {
      response.destroy();
    }
  }

  /** The bytes of a file in a container. */
  async sizeOf(container: string, file: string, signal?: AbortSignal): Promise<number> {
    const response = await this.#respond('HEAD', `/containers/${container}/archive`, {
      query: { path: file },
      signal,
    });
    response.destroy();
    const stat = Buffer.from(String(response.headers[PATH_STAT]), 'base64').toString();
    return (JSON.parse(stat) as { size?: number }).size ?? 0;
  }

  /** Both directions of the streams of a container, as the engine multiplexes them. */
  async attach(container: string, signal?: AbortSignal): Promise<Duplex> {
    const query = new URLSearchParams({ stream: '1', stdin: '1', stdout: '1', stderr: '1' });
    const call = `POST /containers/${container}/attach`;
    const url = `${await this.#prefix()}/containers/${container}/attach?${query}`;
    return await new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(signal?.aborted ? signal.reason : this.#unreachable(cause));
      const request = this.#request('POST', url, {
        headers: { upgrade: 'tcp', connection: 'Upgrade', 'content-length': '0' },
        signal: signal
          ? AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)])
          : AbortSignal.timeout(CALL_MS),
      });
      request.on('error', fail);
      request.on('upgrade', (_response, socket: Duplex, head) => {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      request.on('response', (response) => {
        errorOf(response, call).then(reject, fail);
      });
      request.end();
    });
  }

  async #respond(method: string, path: string, sent: Sent): Promise<IncomingMessage> {
    sent.signal?.throwIfAborted();
    const query = sent.query === undefined ? '' : `?${new URLSearchParams(sent.query)}`;
    const url = `${await this.#prefix()}${path}${query}`;
    const response = await this.#send(method, url, sent);
    if ((response.statusCode ?? 0) < 300 || response.statusCode === 304) return response;
    throw await errorOf(response, `${method} ${path}`);
  }

  async #send(method: string, url: string, { body, headers, signal }: Sent): Promise<IncomingMessage> {
    let unread: Error | undefined;
    if (isStream(body)) {
      body.on('error', (error) => {
        unread = error;
      });
    }
    try {
      return await new Promise((resolve, reject) => {
        const bytes = bytesOf(body);
        const request = this.#request(method, url, {
          headers: { ...headersOf(body, bytes), ...headers },
          ...(signal && { signal }),
        });
        request.on('error', reject);
        request.on('response', (response) => {
          this.#noteClock(response);
          resolve(response);
        });
        // An early response ends the upload.
        if (isStream(body)) pipeline(body, request).catch(reject);
        else request.end(bytes);
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw unread ?? this.#unreachable(cause);
    }
  }

  #request(
    method: string,
    path: string,
    options: { headers: Record<string, string>; signal?: AbortSignal },
  ): http.ClientRequest {
    const { socketPath, host, port, tls } = this.address;
    // A connection of its own for each call: those that a daemon has closed meanwhile cannot be used again.
    const common = { method, path, agent: false as const, ...options };
    if (socketPath !== undefined) {
      return http.request({ ...common, socketPath, headers: { host: 'docker', ...options.headers } });
    }
    const at = { ...common, host, port };
    return tls === undefined ? http.request(at) : https.request({ ...at, ...tls });
  }

  async #prefix(): Promise<string> {
    this.#version ??= await this.#negotiate();
    return `/v${this.#version}`;
  }

  async #negotiate(): Promise<string> {
    const response = await this.#send('GET', '/version', { signal: AbortSignal.timeout(CALL_MS) });
    const text = (await bodyOf(response)).toString();
    if (response.statusCode !== 200) throw this.#unreachable(new Error(`${response.statusCode} ${text}`));
    const { ApiVersion, MinAPIVersion = ApiVersion } = JSON.parse(text) as EngineVersion;
    const wanted = isNewer(ApiVersion, VERSION_MAX) ? VERSION_MAX : ApiVersion;
    return isNewer(MinAPIVersion, wanted) ? MinAPIVersion : wanted;
  }

  #noteClock({ headers: { date } }: IncomingMessage): void {
    const at = Date.parse(date ?? '');
    if (!Number.isNaN(at)) this.#clockOffsetMs = at - performance.now();
  }

  #unreachable(cause: unknown): SandboxError {
    const { code } = cause as NodeJS.ErrnoException;
    const fix =
      code === 'EACCES' || code === 'EPERM'
        ? 'let this user use the socket of the daemon (group docker), or run as root'
        : 'start Docker, or set DOCKER_HOST to the address of its daemon';
    return new SandboxError('unavailable', `the Docker daemon at ${this.address.url} does not respond`, {
      cause,
      fix,
    });
  }
}

/** Undefined for a stream. */
function bytesOf(body: Sent['body']): Buffer | undefined {
  if (isStream(body)) return undefined;
  return body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

function headersOf(body: Sent['body'], bytes: Buffer | undefined): Record<string, string> {
  const length: Record<string, string> = isStream(body)
    ? {}
    : { 'content-length': String(bytes?.length ?? 0) };
  if (body === undefined) return length;
  return { ...length, 'content-type': isTar(body) ? 'application/x-tar' : 'application/json' };
}

function isStream(body: Sent['body']): body is Readable {
  return typeof (body as Readable | undefined)?.pipe === 'function';
}

function isTar(body: NonNullable<Sent['body']>): boolean {
  return Buffer.isBuffer(body) || isStream(body);
}

function isNewer(version: string, than: string): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  const [c = 0, d = 0] = than.split('.').map(Number);
  return a > c || (a === c && b > d);
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the response of the daemon is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whatever the call needed it for: a full disk is one for the operator. */
async function errorOf(response: IncomingMessage, call: string): Promise<EngineError | SandboxError> {
  const text = (await bodyOf(response)).toString().trim();
  let reason = text;
  try {
    reason = (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    // not JSON: as it is
  }
  const error = new EngineError(response.statusCode ?? 0, reason, call);
  if (!/no space left on device|disk quota exceeded/i.test(reason)) return error;
  return new SandboxError('unavailable', 'the disk of the Docker daemon is full', {
    cause: error,
    fix: 'free space there, for instance with `docker system prune`',
  });
}

/** JSON documents, one a line. */
async function* messagesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<EngineMessage> {
  let open = '';
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    const lines = (open + decoder.decode(chunk, { stream: true })).split('\n');
    open = lines.pop() ?? '';
    if (open.length > MESSAGE_BYTES_MAX) throw new Error('a message of the daemon is too large');
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as EngineMessage;
  }
  if (open.trim() !== '') yield JSON.parse(open) as EngineMessage;
}
