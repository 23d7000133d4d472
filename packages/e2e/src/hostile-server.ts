import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { FORMS } from './secret-forms.js';

type Echo = (response: ServerResponse, secret: string) => void;

const LARGE_BYTES = 48 * 1024;
const body =
  (write: (secret: string) => string): Echo =>
  (response, secret) =>
    void response.end(`you sent ${write(secret)}, did you not`);
const coded =
  (coding: string, compress: (text: string) => Buffer): Echo =>
  (response, secret) =>
    void response.writeHead(200, { 'content-encoding': coding }).end(compress(`packed ${secret} away`));
const header =
  (name: string, status = 200): Echo =>
  (response, secret) =>
    void response.writeHead(status, { [name]: `"${secret}"` }).end('look at the headers');

/** Everything that the server does with a secret it receives, by request path. */
const ECHOES: Record<string, Echo> = {
  ...Object.fromEntries(Object.entries(FORMS).map(([name, form]) => [name, body(form)])),
  gzip: coded('gzip', gzipSync),
  deflate: coded('deflate', deflateSync),
  brotli: coded('br', brotliCompressSync),
  header: header('x-echo'),
  'header-base64': (response, secret) =>
    void response.writeHead(200, { 'x-echo': FORMS['base64-0'](secret) }).end(),
  cookie: header('set-cookie'),
  challenge: header('www-authenticate', 401),
  'content-type': header('content-type'),
  error: (response, secret) => void response.writeHead(500).end(`could not use ${secret}: ${secret}`),
  reason: (response, secret) => void response.writeHead(418, secret.replaceAll(/[^ -~]/g, '')).end(),
  redirect: (response, secret) =>
    void response.writeHead(302, { location: `/echo/raw?again=${encodeURIComponent(secret)}` }).end(),
  'redirect-away': (response, secret) =>
    void response.writeHead(302, { location: `http://10.9.8.7/${encodeURIComponent(secret)}` }).end(),
  'redirect-broken': (response, secret) =>
    void response.writeHead(302, { location: `http://${FORMS['hex-lower'](secret)}.invalid/` }).end(),
  'byte-by-byte': (response, secret) => {
    for (const byte of Buffer.from(`drop ${secret} by drop`)) response.write(Buffer.of(byte));
    response.end();
  },
  large: (response, secret) => {
    const pieces = Array.from({ length: 200 }, (_, n) => `${'.'.repeat(n)}${secret}`).join('');
    response.end(`${pieces}${'-'.repeat(Math.max(0, LARGE_BYTES - pieces.length))}`);
  },
  binary: (response, secret) =>
    void response.end(Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(secret)])),
  'hang-up': (response, secret) => {
    response.writeHead(200, { 'content-length': '9999' }).write(`all of ${secret}`);
    response.socket?.end();
  },
  malformed: (response, secret) =>
    void response.socket?.end(`HTTP/1.1 200 OK\r\nx-echo: ${secret}\r\n ${secret}\r\nx y: ${secret}\r\n\r\n`),
};

/** The paths of all echoes. */
export const ECHO_NAMES = Object.keys(ECHOES);

/** A server that gives away, in every way there is, the secret that it is sent as its bearer token. */
export class HostileServer {
  /** The echoes that were requested with the right secret. */
  readonly echoed = new Set<string>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(secret: string): Promise<HostileServer> {
    const server = createServer((request, response) => {
      const [, name = ''] = /^\/echo\/([\w-]+)/.exec(request.url ?? '') ?? [];
      const isKnown = request.headers.authorization === `Bearer ${secret}`;
      if (isKnown) hostile.echoed.add(name);
      const echo = ECHOES[name];
      if (isKnown && echo !== undefined) echo(response, secret);
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const hostile = new HostileServer(server, (server.address() as AddressInfo).port);
    return hostile;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
