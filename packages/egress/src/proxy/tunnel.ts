import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EgressError } from '../guard/errors.js';
import type { HopLog } from '../guard/record.js';
import { carriesLine, isServerRecord, readClientHello } from './client-hello.js';
import { type Gate, metered } from './gate.js';

export interface TunnelRequest {
  request: IncomingMessage;
  stream: Duplex;
  /** Bytes that came right behind the request. */
  head: Buffer;
  /** The client sends plain HTTP to this authority; its first bytes are back in the stream. */
  onPlain: (authority: string) => void;
}

/** Serves one CONNECT; never rejects. */
export async function tunnel({ request, stream, head, onPlain }: TunnelRequest, gate: Gate): Promise<void> {
  const authority = request.url ?? '';
  const target = `https://${authority}/`;
  const log = gate.log('CONNECT', target);
  let upstream: Socket | undefined;
  try {
    gate.count();
    // More than an authority would be read as one with a path.
    if (!/^[^/?#\\\s]+:\d{1,5}$/.test(authority)) throw blocked('invalid_url');
    const read = gate.read(target);
    if (!gate.mayLeave({ url: target, headers: {} })) {
      log.blocked('policy_violation');
      return plainResponse(stream, 403, 'egress_blocked: policy_violation');
    }
    upstream = await gate.connect(read);
    if (stream.destroyed) throw new EgressError('aborted');
    upstream.setTimeout(gate.limits.idleMs, () => upstream?.destroy());
    stream.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const greeting = await greetingOf(stream, head, gate.limits.idleMs);
    if (greeting.kind === 'plain') {
      upstream.destroy();
      return onPlain(authority);
    }
    if (!namesHost(greeting.name, read.host)) throw blocked('host');
    if (!authority.endsWith(':443') && carriesLine(greeting.hello)) throw blocked('scheme');
    // Nothing but the ClientHello leaves until the other side has responded as a TLS server does.
    if (!gate.spend(greeting.hello.length)) throw blocked('bytes_limit');
    upstream.write(greeting.hello);
    if (!(await acceptsTls(upstream))) throw blocked('scheme');
    await splice(stream, upstream, { gate, log });
  } catch (error) {
    upstream?.destroy();
    const known = gate.asEgressError(error);
    log.blocked(known.reason ?? known.code);
    if (upstream) stream.destroy();
    else plainResponse(stream, known.code === 'egress_blocked' ? 403 : 502, known.message);
  }
}

/** A short response of the proxy's own, the last of its connection. */
export function plainResponse(stream: Duplex, status: number, text: string): void {
  const head = `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Refused'}`;
  const body = `${text}\n`;
  stream.end(
    `${head}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

type ClientGreeting = { kind: 'plain' } | { kind: 'tls'; name: string | undefined; hello: Buffer };

/** Reads the ClientHello and puts back what follows it; of anything else every byte. */
async function greetingOf(stream: Duplex, head: Buffer, timeoutMs: number): Promise<ClientGreeting> {
  let seen = head;
  const deadline = setTimeout(() => stream.destroy(), timeoutMs);
  try {
    for (;;) {
      const greeting = readClientHello(seen);
      if (greeting.kind === 'tls') {
        const { name, bytes } = greeting;
        if (seen.length > bytes) stream.unshift(seen.subarray(bytes));
        return { kind: 'tls', name, hello: seen.subarray(0, bytes) };
      }
      if (greeting.kind === 'other') {
        stream.unshift(seen);
        return { kind: 'plain' };
      }
      seen = Buffer.concat([seen, await nextChunk(stream)]);
    }
  } finally {
    clearTimeout(deadline);
  }
}

/** True when the first bytes of the other side are those of a TLS server; they are put back. */
async function acceptsTls(upstream: Socket): Promise<boolean> {
  let seen = Buffer.alloc(0);
  for (;;) {
    seen = Buffer.concat([seen, await nextChunk(upstream)]);
    const isTls = isServerRecord(seen);
    if (isTls === undefined) continue;
    upstream.unshift(seen);
    return isTls;
  }
}

/** The chunk is taken, the stream left open and paused. Rejects when the stream ends first. */
function nextChunk(stream: Duplex): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = () => stream.off('readable', look).off('end', fail).off('close', fail);
    const fail = () => {
      settle();
      reject(new EgressError('aborted'));
    };
    const look = () => {
      const chunk: Buffer | null = stream.read();
      if (chunk === null) return;
      settle();
      resolve(chunk);
    };
    stream.on('readable', look).once('end', fail).once('close', fail);
    look();
  });
}

/** Both directions until both have ended, or one has failed. */
async function splice(
  client: Duplex,
  upstream: Socket,
  { gate, log }: { gate: Gate; log: HopLog },
): Promise<void> {
  const [out, back] = [metered(gate), metered(gate)];
  try {
    await Promise.all([pipeline(client, out.stream, upstream), pipeline(upstream, back.stream, client)]);
  } catch (error) {
    client.destroy();
    upstream.destroy();
    if (error instanceof EgressError) throw error;
    // Who hangs up in the middle of a tunnel has still had what went through it.
  }
  log.completed({ hops: 0, status: 200, bytes: back.bytes() });
}

/** TLS to an address names no server; TLS to a name names that one. */
function namesHost(name: string | undefined, host: string): boolean {
  if (isIP(host) !== 0) return name === undefined;
  return name?.toLowerCase().replace(/\.$/, '') === host;
}

function blocked(reason: 'invalid_url' | 'host' | 'scheme' | 'bytes_limit'): EgressError {
  return new EgressError('egress_blocked', { reason });
}
