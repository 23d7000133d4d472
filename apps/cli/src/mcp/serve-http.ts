import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ToolServer } from './mcp-server.js';

/** MCP over streamable HTTP on the loopback interface. */
export interface HttpEndpoint {
  url: string;
  token: string;
  close: () => Promise<void>;
}

const BODY_BYTES_MAX = 1_048_576;
/** Clients of versions before 2026 have sessions; the one that was used least recently is closed for the next. */
const SESSIONS_MAX = 32;
const PATH = '/mcp';

/** Serves tools on a port of 127.0.0.1; 0 is a free one. Fails as the network does. */
export async function serveHttp(
  tools: ToolServer,
  { port, token = secret() }: { port: number; token?: string | undefined },
): Promise<HttpEndpoint> {
  const exchanges = new Exchanges(tools);
  const server = createServer((request, response) => {
    handle(exchanges, token, { request, response }).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The request could not be handled.');
    });
  });
  // A call of a tool may take hours; its request does not.
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    token,
    close: () => closed(server, exchanges),
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

async function closed(server: Server, exchanges: Exchanges): Promise<void> {
  await exchanges.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

async function handle(exchanges: Exchanges, token: string, { request, response }: Exchange): Promise<void> {
  const { headers, url = '/' } = request;
  // A page of another site that resolves its own name to this address has that name here.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(headers.host ?? '')) {
    return refuse(response, 403, 'Requests name this server by 127.0.0.1 or localhost.');
  }
  // Programs send none; a page of a browser has no business here, whichever site it is of.
  if (headers.origin !== undefined) return refuse(response, 403, 'Requests of web pages are refused.');
  if (!isSame(headers.authorization ?? '', `Bearer ${token}`)) {
    response.setHeader('www-authenticate', 'Bearer');
    return refuse(
      response,
      401,
      'Send the token that agentclash mcp --http has printed: Authorization: Bearer TOKEN',
    );
  }
  if (new URL(url, 'http://127.0.0.1').pathname !== PATH)
    return refuse(response, 404, `Tools are at ${PATH}.`);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const reply = await exchanges.reply(await webRequest(request, gone.signal));
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  if (reply.body === null) response.end();
  else await pipeline(Readable.fromWeb(reply.body as never), response).catch(() => undefined);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refuse(response: ServerResponse, status: number, detail: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ error: detail }));
}

async function webRequest(request: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = request;
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    if (bytes <= BODY_BYTES_MAX) parts.push(part);
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // A body that is too large is none, which is refused.
  const body = bytes > BODY_BYTES_MAX ? Buffer.alloc(0) : Buffer.concat(parts);
  return new Request(new URL(url, 'http://127.0.0.1'), {
    ...{ method, headers: given, signal },
    ...(hasBody && { body }),
  });
}

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  close: () => Promise<void>;
}

/** Requests of both generations of the protocol: with a session, and each on its own. */
class Exchanges {
  private readonly sessions = new Map<string, Session>();
  private readonly modern;

  constructor(private readonly tools: ToolServer) {
    this.modern = createMcpHandler(() => tools.connection(), { legacy: 'reject' });
  }

  async reply(request: Request): Promise<Response> {
    if (!(await isLegacyRequest(request))) return await this.modern.fetch(request);
    const id = request.headers.get('mcp-session-id');
    if (id === null) return await this.opened(request);
    const session = this.sessions.get(id);
    if (session === undefined) return Response.json({ error: 'There is no such session.' }, { status: 404 });
    // The last of the map was used last.
    this.sessions.delete(id);
    this.sessions.set(id, session);
    return await session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    await this.modern.close();
    await Promise.all([...this.sessions.values()].map((session) => session.close()));
  }

  private async opened(request: Request): Promise<Response> {
    const server = this.tools.connection();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => this.keep(id, { transport, close: () => server.close() }),
      onsessionclosed: (id) => void this.sessions.delete(id),
    });
    await server.connect(transport);
    return await transport.handleRequest(request);
  }

  private keep(id: string, session: Session): void {
    this.sessions.set(id, session);
    const [oldest] = this.sessions;
    if (this.sessions.size <= SESSIONS_MAX || oldest === undefined) return;
    this.sessions.delete(oldest[0]);
    void oldest[1].close();
  }
}
