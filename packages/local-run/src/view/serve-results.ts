import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, type Client, routes } from '@agentclash/api';
import { ERRORS } from '@agentclash/contracts';
import { WebAssets, webHeaders } from '@agentclash/web-assets';
import { openResultsClient } from '../client/results-client.js';
import { matchedQuery, matchedRoute } from './route-match.js';
import { sendEvents } from './send-events.js';
import { viewerClient } from './viewer-client.js';

/** The web app over one file of results. */
export interface ServedResults {
  /** Signs a browser in; it holds the only credential. */
  url: string;
  close: () => Promise<void>;
}

interface Serving {
  client: Client;
  assets: WebAssets;
  folder: string;
  /** In the address of the page, exchanged for the token. */
  code: string;
  token: string;
}

const BODY_BYTES_MAX = 4_096;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Serves the result pages of the web app for one file, read-only, on a free port of the loopback interface. Fails with
 * `ResultsFileError`, as the file system does, and with `TypeError` where `webFolder` holds no built app.
 */
export async function serveResults(file: string, webFolder: string): Promise<ServedResults> {
  const assets = await WebAssets.read(webFolder);
  if (assets === undefined) throw new TypeError(`there is no built web app in ${webFolder}`);
  const results = await openResultsClient(file);
  const [code, token] = [secret(), secret()];
  const serving = { client: viewerClient(results, file), assets, folder: webFolder, code, token };
  const server = createServer((request, response) => {
    handle(serving, request, response).catch((error: unknown) => sendProblem(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const [run] = (await results.call(routes.runs.list, { query: { limit: 1 } })).items;
  return {
    url: `http://127.0.0.1:${port}/runs/${run?.id}#code=${code}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await results.close();
    },
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

async function handle(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  // A page of another site that resolves its own name to this address has that name here.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) {
    throw new ApiError({ code: 'not_found', detail: 'It does not exist.' });
  }
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (url.pathname.startsWith('/v1/')) return handleApi(serving, { request, response, url });
  if (request.method !== 'GET' && request.method !== 'HEAD') throw READ_ONLY();
  const asset = serving.assets.at(request.url ?? '/', request.headers.accept);
  if (asset === undefined) throw new ApiError({ code: 'not_found', detail: 'It does not exist.' });
  const type = TYPES[path.extname(asset.file)] ?? 'application/octet-stream';
  response.writeHead(200, { ...webHeaders(asset.file), etag: asset.entityTag, 'content-type': type });
  if (request.method === 'HEAD') response.end();
  else await pipeline(createReadStream(path.join(serving.folder, asset.file)), response);
}

const READ_ONLY = () =>
  new ApiError({ code: 'forbidden', detail: 'A file of results is only read: agentclash push stores it.' });

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}

async function handleApi(serving: Serving, { request, response, url }: Exchange): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  const { method, headers } = request;
  if (method === 'POST' && url.pathname === routes.sessions.open.path) {
    return openSession(serving, request, response);
  }
  if (!isSame(headers.authorization ?? '', `Bearer ${serving.token}`)) throw UNAUTHENTICATED();
  if (method === 'POST' && url.pathname === routes.sessions.close.path) {
    response.writeHead(204).end();
    return;
  }
  if (method !== 'GET') throw READ_ONLY();
  const matched = matchedRoute(url.pathname);
  if (matched === undefined) throw new ApiError({ code: 'not_found', detail: 'It does not exist.' });
  const { route, params } = matched;
  const query = matchedQuery(route, url.searchParams);
  if (route === routes.runs.events && query.format !== 'ndjson') {
    const after = Number(headers['last-event-id'] ?? query.after ?? 0);
    await sendEvents(serving.client, { runId: params.run_id ?? '', after }, response);
    return;
  }
  const reply: unknown = await serving.client.call(route, { params, query } as never);
  if (reply instanceof Response) {
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
    if (reply.body === null) response.end();
    else await pipeline(Readable.fromWeb(reply.body as never), response);
    return;
  }
  sendJson(response, 200, reply);
}

const UNAUTHENTICATED = () =>
  new ApiError({
    code: 'unauthenticated',
    detail: 'Open the link that agentclash view printed: it signs this browser in.',
  });

async function openSession(
  { code, token }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > BODY_BYTES_MAX)
      throw new ApiError({ code: 'too_large', detail: 'The body is too large.' });
  }
  if (!isSame(codeIn(text), code)) throw UNAUTHENTICATED();
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  sendJson(response, 201, { token, expires_at, workspace: 'results', role: 'viewer' });
}

function codeIn(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: unknown } | null)?.code ?? '');
  } catch {
    return '';
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}

function sendProblem(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { code, detail } = problemOf(error);
  const { http: status, title } = ERRORS[code];
  response.writeHead(status, { 'content-type': 'application/problem+json; charset=utf-8' });
  const type = `urn:agentclash:problem:${code}`;
  response.end(JSON.stringify({ type, title, status, code, detail, request_id: '' }));
}

function problemOf(error: unknown): { code: keyof typeof ERRORS; detail: string } {
  if (error instanceof ApiError) return error;
  if (error instanceof Error && error.name === 'ContractError') {
    return { code: (error as Error & { code: keyof typeof ERRORS }).code, detail: error.message };
  }
  return { code: 'internal', detail: 'The file of results could not be read.' };
}
