import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerTo, type S3Answer, type S3Request } from './protocol.js';

/** How the server misbehaves on a request: says 503, says nothing, or breaks off in the middle of the body. */
export type S3Fault = 'busy' | 'silent' | 'broken_off';

/**
 * An S3 server in memory that speaks the wire format: path-style addresses, one bucket, signed requests only, content
 * verified by its announced sums, ranges, errors as XML. It plays the outside network in tests.
 */
export class FakeS3 {
  readonly bucket = 'bucket';
  readonly credentials = { accessKeyId: 'test', secretAccessKey: 'test-secret' };
  /** By key. */
  readonly objects = new Map<string, Buffer>();
  /** When each object was stored last, by key; a test may set it back. */
  readonly storedAt = new Map<string, Date>();
  /** Of every request that came: method and path. */
  readonly requests: string[] = [];
  private readonly faults: { method: string; fault: S3Fault }[] = [];

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

  /** The next `times` requests of this method meet with the fault. */
  fail(method: string, fault: S3Fault, times = 1): void {
    for (let at = 0; at < times; at += 1) this.faults.push({ method, fault });
  }

  /** Forgets faults that have not happened. */
  recover(): void {
    this.faults.length = 0;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    this.requests.push(`${method} ${url}`);
    const fault = this.faultOf(method);
    // As real servers do: it says no before it has read the body.
    if (fault === 'busy') return send(response, { status: 503, code: 'SlowDown' });
    if (fault === 'silent') return;
    let asked: S3Request;
    try {
      asked = { method, url, headers: request.headers, body: await bodyOf(request) };
    } catch {
      // The sender broke off: nothing is stored.
      return;
    }
    const answer = answerTo(asked, this);
    if (fault === 'broken_off' && answer.body !== undefined) return breakOff(response, answer);
    send(response, answer);
  }

  private faultOf(method: string): S3Fault | undefined {
    const at = this.faults.findIndex((each) => each.method === method);
    return at === -1 ? undefined : this.faults.splice(at, 1)[0]?.fault;
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

function headersOf({ body, headers }: S3Answer, length: number): Record<string, string> {
  return { ...headers, ...(body !== undefined && { 'content-length': String(length) }) };
}

function send(response: ServerResponse, answer: S3Answer): void {
  const { status, code } = answer;
  if (code !== undefined) {
    const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
    response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
    return;
  }
  response.writeHead(status, headersOf(answer, answer.body?.length ?? 0)).end(answer.body);
}

function breakOff(response: ServerResponse, answer: S3Answer): void {
  const body = answer.body ?? Buffer.alloc(0);
  response.writeHead(answer.status, headersOf(answer, body.length));
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy());
}
