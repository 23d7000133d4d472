import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createEgress, type EgressOptions } from '../egress.js';
import type { NetworkRecord } from '../guard/record.js';
import type { EgressProxyOptions } from '../proxy/proxy.js';
import { LOOPBACK, serveTcp, toLoopback } from './fixture.js';

/** A proxy behind a port of this machine, and what it reported. */
export async function proxied(options: Partial<EgressProxyOptions> = {}, egress: EgressOptions = {}) {
  const records: NetworkRecord[] = [];
  const proxy = createEgress({ resolve: toLoopback, ...egress }).proxy({
    policy: LOOPBACK,
    onHop: (record) => records.push(record),
    ...options,
  });
  const { port } = await serveTcp((socket) => proxy.serve(socket));
  return { proxy, port, records };
}

export interface ProxiedResponse {
  status: number;
  body: string;
  headers: IncomingMessage['headers'];
}

/** One request in absolute form, as clients send it to a proxy. */
export async function throughProxy(
  port: number,
  url: string,
  more: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<ProxiedResponse> {
  const { body = '', ...options } = more;
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path: url,
    agent: false,
    setHost: false,
    ...options,
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, body: text, headers: response.headers };
}

/** Requests a tunnel; the socket leads through it when the status is 200. */
export async function connectThrough(
  port: number,
  authority: string,
): Promise<{ status: number; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  return { status: Number(head.toString().split(' ')[1]), socket };
}
