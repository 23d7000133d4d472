import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ContractError } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { problemResponse } from '../http/problem.js';

/** Headers of every response: data for programs, which is not to be cached, framed or taken for a page. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Time for the headers of a request to arrive. */
const HEADERS_MS_MAX = 20_000;

/** Bounds connections, and responds with a problem document to requests that Node.js refuses before Fastify. */
export function limitConnections(server: Server, connectionsMax: number): void {
  server.maxConnections = connectionsMax;
  server.headersTimeout = HEADERS_MS_MAX;
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { headers, text } = protocolProblem('The expectation of the header Expect is not supported.');
    response.writeHead(417, headers).end(text);
  });
}

const STATUS: Readonly<Record<string, { status: string; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    detail: 'The headers of the request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', detail: 'The request did not arrive in time.' },
};
const MALFORMED = { status: '400 Bad Request', detail: 'The request is not valid HTTP.' };

/** Ends a connection on which no request could be read. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, detail } = STATUS[error.code ?? ''] ?? MALFORMED;
  const { headers, text } = protocolProblem(detail, Number(status.slice(0, 3)));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}connection: close\r\n\r\n${text}`);
}

function protocolProblem(detail: string, status = 417): { headers: Record<string, string>; text: string } {
  const requestId = newId();
  const { headers, document } = problemResponse(new ContractError('unreadable', detail), requestId);
  const text = JSON.stringify({ ...document, status });
  return {
    headers: {
      ...SECURITY_HEADERS,
      ...headers,
      'x-request-id': requestId,
      'content-length': String(Buffer.byteLength(text)),
    },
    text,
  };
}
