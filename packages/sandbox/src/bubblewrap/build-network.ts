import { chown } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { type EgressPort, PROXY_PORT } from '../spec.js';

/**
 * The network of builds that require one: that of this machine, with all that it reaches, or a proxy of the host's for each
 * build. Absent: none.
 */
export type BuildNetwork = 'host' | { openProxy: () => EgressPort & { close(): void } };

/** Below the working directory of a build. */
const SOCKET = 'proxy';

/** A socket in the working directory of a build at which a proxy is served; returns what ends both. */
export async function serveProxy(
  { openProxy }: Exclude<BuildNetwork, 'host'>,
  { work, uid }: { work: string; uid: number },
): Promise<() => void> {
  const proxy = openProxy();
  const server = createServer({ allowHalfOpen: true }, (stream) => proxy.serve(stream));
  const file = path.join(work, SOCKET);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(file, resolve));
  await chown(file, uid, uid);
  return () => {
    server.close();
    proxy.close();
  };
}

/** Options of bubblewrap for a build that reaches the proxy of its working directory. */
export function proxyArguments(work: string): string[] {
  const url = `http://127.0.0.1:${PROXY_PORT}`;
  const variables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];
  return [
    ...['--ro-bind', process.execPath, '/node', '--bind', path.join(work, SOCKET), '/proxy'],
    ...variables.flatMap((name) => ['--setenv', name, url]),
    ...['no_proxy', 'NO_PROXY'].flatMap((name) => ['--setenv', name, 'localhost,127.0.0.1']),
  ];
}

/** Each connection to the port of the proxy continues at its socket. */
const FORWARDER = `
const net = require('node:net');
net.createServer({ allowHalfOpen: true }, (from) => {
  const to = net.connect({ path: '/proxy', allowHalfOpen: true });
  const end = () => { from.destroy(); to.destroy(); };
  from.on('error', end).pipe(to).on('error', end).pipe(from);
}).listen(${PROXY_PORT}, '127.0.0.1', () => require('node:fs').writeFileSync('/tmp/ready', '\\n'));
`;

/** Begins a script whose commands reach the proxy. */
export const FORWARD = `mkfifo /tmp/ready; /node -e "${FORWARDER.trim().replaceAll('\n', ' ')}" </dev/null >&2 & read -r _ </tmp/ready`;
