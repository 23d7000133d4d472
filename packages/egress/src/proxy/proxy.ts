import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { EgressPolicy } from '../guard/policy.js';
import type { NetworkRecord } from '../guard/record.js';
import { forward } from './forward.js';
import { type Gate, openGate, type ProxyContext } from './gate.js';
import { plainResponse, tunnel } from './tunnel.js';

/** A request before it leaves. */
export interface OutgoingRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/** A connection, or the reason why there is none. */
export interface ProxyConnection {
  host: string;
  port: number;
  /** Why no connection was made: an address that the policy refuses, or an error code; absent when one was. */
  failure?: string;
}

export interface EgressProxyOptions {
  policy: EgressPolicy;
  /** Receives every request that left and every one that was stopped. A tunnel is one request, CONNECT. */
  onHop?: (record: NetworkRecord) => void;
  /** Receives every try to connect to a host whose URL was admitted, whatever follows on the connection. */
  onConnect?: (connection: ProxyConnection) => void;
  /** Sees what can be seen before anything leaves, lookups included; `false` stops the request. */
  mayLeave?: (request: OutgoingRequest) => boolean;
  /** Back-pressure of whatever takes the records: no request is handled before it resolves. Must not reject. */
  drained?: () => Promise<void>;
  limits?: Partial<EgressProxyLimits>;
}

export interface EgressProxyLimits {
  /** Open at once; more are turned away. */
  connectionsMax: number;
  /** Handled in one second, after a burst of as many; more wait for their turn. */
  requestsPerSecond: number;
  /** Handled over the life of the proxy, refused ones included; more are refused as `requests_limit`. */
  requestsMax: number;
  /** In both directions over the life of the proxy. */
  bytesMax: number;
  /** Body of a plain HTTP request: it is looked at as a whole before it leaves. */
  requestBytesMax: number;
  /** A connection on which nothing moves is closed. */
  idleMs: number;
}

const PROXY_LIMITS: EgressProxyLimits = {
  connectionsMax: 64,
  requestsPerSecond: 100,
  requestsMax: 20_000,
  bytesMax: 1024 * 1024 * 1024,
  requestBytesMax: 1024 * 1024,
  idleMs: 60_000,
};

const REQUEST_HEAD_MS = 15_000;

/**
 * An HTTP and CONNECT proxy for processes that have no network of their own. Every request is judged like any other,
 * goes to checked addresses only, and gets a connection of its own; redirects are left to the client, whose next
 * request is checked again. A tunnel must carry TLS for the requested host, or plain HTTP.
 */
export class EgressProxy {
  readonly #server: Server;
  readonly #gate: Gate;
  readonly #open = new Set<Duplex>();
  /** Tunnels that turned out to carry plain HTTP, with the authority they lead to. */
  readonly #tunnelled = new WeakMap<Duplex, string>();

  constructor(options: EgressProxyOptions, context: ProxyContext) {
    this.#gate = openGate({ ...options, limits: { ...PROXY_LIMITS, ...options.limits } }, context);
    const { idleMs } = this.#gate.limits;
    this.#server = createServer({
      headersTimeout: Math.min(REQUEST_HEAD_MS, idleMs),
      requestTimeout: idleMs,
      connectionsCheckingInterval: 1_000,
      // The URL names the host; where both are given they must agree.
      requireHostHeader: false,
    });
    // Every response closes its connection: what was sent behind the first request gets none of its own.
    this.#server.maxRequestsPerSocket = 1;
    this.#server.on('request', (request, response) => {
      streamOf(request)?.began(request);
      void this.#onRequest(request, response);
    });
    this.#server.on('connect', (request, stream, head) => {
      streamOf(request)?.becomeTunnel();
      void this.#onConnect(request, stream, head);
    });
    this.#server.on('clientError', (_error, stream) => plainResponse(stream, 400, 'this is no HTTP request'));
  }

  /** Takes in one connection of a client. */
  serve(stream: Duplex): void {
    stream.on('error', () => {});
    if (this.#gate.isClosed) {
      stream.destroy();
      return;
    }
    if (this.#open.size >= this.#gate.limits.connectionsMax) {
      plainResponse(stream, 503, 'too many connections');
      return;
    }
    const requests = new RequestStream(stream);
    this.#open.add(requests);
    requests.once('close', () => this.#open.delete(requests));
    this.#server.emit('connection', requests);
  }

  /** Ends every connection. Idempotent. */
  close(): void {
    this.#gate.close();
    for (const stream of this.#open) stream.destroy();
    // The server never listened; this stops the timer that looks for slow requests.
    this.#server.close(() => {});
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!(await this.#gate.admit()) || request.socket.destroyed) return;
    const authority = this.#tunnelled.get(request.socket);
    await forward({ request, response, authority }, this.#gate);
  }

  async #onConnect(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    stream.on('error', () => {});
    if (!(await this.#gate.admit()) || stream.destroyed) return;
    if (this.#tunnelled.has(stream)) {
      plainResponse(stream, 400, 'a tunnel inside a tunnel');
      return;
    }
    const onPlain = (authority: string) => {
      this.#tunnelled.set(stream, authority);
      streamOf(request)?.expectRequest();
      this.#server.emit('connection', stream);
    };
    await tunnel({ request, stream, head, onPlain }, this.#gate);
  }
}

function streamOf({ socket }: IncomingMessage): RequestStream | undefined {
  const stream: Duplex = socket;
  return stream instanceof RequestStream ? stream : undefined;
}

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
class RequestStream extends Duplex {
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
