import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { responseTo, type S3Request, type S3Response } from './protocol.js';

/** How a request fails: with status 503, without any response, or by a disconnect in the middle of the body. */
type S3Failure = 'busy' | 'silent' | 'broken_off';

/**
 * An S3 server in memory with the real wire format: path-style addresses, one bucket, signed requests only, content
 * verified by its checksums, ranges, errors as XML. It replaces the outside network in tests.
 */
export class FakeS3 {
  readonly bucket = 'bucket';
  readonly credentials = { accessKeyId: 'test', secretAccessKey: 'test-secret' };
  /** By key. */
  readonly objects = new Map<string, Buffer>();
  /** When each object was stored last, by key; a test may set it back. */
  readonly storedAt = new Map<string, Date>();
  /** Method and path of every request. */
  readonly requests: string[] = [];
  private readonly failures: { method: string; failure: S3Failure }[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.serve(request, response);
    });
  }

  static async start(): Promise<FakeS3> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new FakeS3(server);
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next `times` requests of this method fail in this way. */
  fail(method: string, failure: S3Failure, times = 1): void {
    for (let at = 0; at < times; at += 1) this.failures.push({ method, failure });
  }

  /** Discards failures that have not happened yet. */
  recover(): void {
    this.failures.length = 0;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    this.requests.push(`${method} ${url}`);
    const failure = this.nextFailure(method);
    // Like real servers, before the body is read.
    if (failure === 'busy') return send(response, { status: 503, code: 'SlowDown' });
    if (failure === 'silent') return;
    let received: S3Request;
    try {
      received = { method, url, headers: request.headers, body: await bodyOf(request) };
    } catch {
      // The sender broke off: nothing is stored.
      return;
    }
    const reply = responseTo(received, this);
    if (failure === 'broken_off' && reply.body !== undefined) return breakOff(response, reply);
    send(response, reply);
  }

  private nextFailure(method: string): S3Failure | undefined {
    const at = this.failures.findIndex((each) => each.method === method);
    return at === -1 ? undefined : this.failures.splice(at, 1)[0]?.failure;
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

function headersOf({ body, headers }: S3Response, length: number): Record<string, string> {
  return { ...headers, ...(body !== undefined && { 'content-length': String(length) }) };
}

function send(response: ServerResponse, reply: S3Response): void {
  const { status, code } = reply;
  if (code !== undefined) {
    const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
    response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
    return;
  }
  response.writeHead(status, headersOf(reply, reply.body?.length ?? 0)).end(reply.body);
}

function breakOff(response: ServerResponse, reply: S3Response): void {
  const body = reply.body ?? Buffer.alloc(0);
  response.writeHead(reply.status, headersOf(reply, body.length));
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy());
}
