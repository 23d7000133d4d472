import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ByteBuffer } from '../body/byte-buffer.js';
import { EgressError, type EgressErrorCode } from '../guard/errors.js';
import type { ReadUrl } from '../guard/url.js';
import { type Gate, metered } from './gate.js';

export interface PlainExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Set inside a tunnel: where it leads. Requests name only a path there. */
  authority: string | undefined;
}

/** These belong to one connection, not to the message. */
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

const STATUS: Partial<Record<EgressErrorCode, number>> = {
  egress_blocked: 403,
  body_too_large: 413,
  timeout: 504,
};

/** Serves one plain HTTP request; never rejects. */
export async function forward(exchange: PlainExchange, gate: Gate): Promise<void> {
  const { request, response } = exchange;
  const method = request.method ?? '';
  const target = targetOf(exchange);
  const log = gate.log(method, target);
  try {
    gate.count();
    const read = readPlain(target, request, gate);
    const headers = endToEnd(request.headers);
    const body = await wholeBody(request, gate.limits.requestBytesMax);
    if (!gate.mayLeave({ url: read.url.href, headers: asText(headers), ...(body.length > 0 && { body }) })) {
      log.blocked('policy_violation');
      return refuse(response, 403, 'egress_blocked: policy_violation');
    }
    const upstream = await sent(gate, read, { method, headers, body });
    const status = upstream.statusCode ?? 502;
    const meter = metered(gate);
    response.writeHead(status, { ...endToEnd(upstream.headers), connection: 'close' });
    try {
      await pipeline(upstream, meter.stream, response);
    } finally {
      log.completed({ hops: 0, status, bytes: meter.bytes() });
    }
  } catch (error) {
    const known = gate.asEgressError(error);
    log.blocked(known.reason ?? known.code);
    if (response.headersSent) response.destroy();
    else refuse(response, STATUS[known.code] ?? 502, known.message);
  }
}

function targetOf({ request, authority }: PlainExchange): string {
  const url = request.url ?? '';
  return authority !== undefined && url.startsWith('/') ? `http://${authority}${url}` : url;
}

/** TLS goes through a tunnel; shared servers would trust a Host that names another than the URL. */
function readPlain(target: string, request: IncomingMessage, gate: Gate): ReadUrl {
  const read = gate.read(target);
  if (read.url.protocol !== 'http:') throw new EgressError('egress_blocked', { reason: 'scheme' });
  const { host } = request.headers;
  const isOwn = host === undefined || sameAuthority(host, read);
  if (!isOwn) throw new EgressError('egress_blocked', { reason: 'host' });
  return read;
}

function sameAuthority(host: string, read: ReadUrl): boolean {
  const url = `http://${host}/`;
  return URL.canParse(url) && new URL(url).host === read.url.host && !/[/?#@\\\s]/.test(host);
}

function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const isKept = (name: string) => !HOP_HEADERS.has(name) && !named.includes(name);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || !isKept(name) ? [] : [[name, value]],
    ),
  );
}

function asText(headers: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

async function wholeBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const whole = new ByteBuffer();
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (whole.bytes.length + chunk.length > bytesMax) throw new EgressError('body_too_large');
    whole.append(chunk);
  }
  return whole.bytes;
}

interface PlainMessage {
  method: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

async function sent(
  gate: Gate,
  read: ReadUrl,
  { method, headers, body }: PlainMessage,
): Promise<IncomingMessage> {
  if (!gate.spend(body.length)) throw new EgressError('egress_blocked', { reason: 'bytes_limit' });
  const socket = await gate.connect(read);
  socket.setTimeout(gate.limits.idleMs, () => socket.destroy(new EgressError('timeout')));
  return new Promise((resolve, reject) => {
    const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
    const outgoing = httpRequest({
      method,
      path: `${read.url.pathname}${read.url.search}`,
      headers: { ...headers, ...length, host: read.url.host, connection: 'close' },
      // Without an agent: any agent, even `false`, would look for a connection of its own.
      createConnection: () => socket,
    });
    outgoing.once('response', resolve).once('error', reject);
    outgoing.once('upgrade', () => reject(new EgressError('response_failed')));
    outgoing.end(body);
  });
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`);
}
