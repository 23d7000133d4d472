import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { createEgress } from '../egress.js';
import { closeServers, LOOPBACK, serve, serveTcp, toLoopback } from '../testing/fixture.js';
import { selfSigned } from '../testing/self-signed.js';

afterEach(closeServers);

const KIB = 1024;
const TURNS = 50;
const FRAMINGS = {
  'a length': (body: Buffer) => [`Content-Length: ${body.length}\r\n\r\n`, body],
  chunks: (body: Buffer) => [
    `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
    body,
    '\r\n0\r\n\r\n',
  ],
  'the end of the connection': (body: Buffer) => ['\r\n', body],
} as const;

/** Reads a body whose connection may have ended long before. */
async function readLate(url: string, extraCa?: string): Promise<number> {
  const egress = createEgress({ resolve: toLoopback, ...(extraCa !== undefined && { extraCa }) });
  const { body } = await egress.open({ method: 'GET', url, policy: LOOPBACK, maxBytes: 64 * KIB * KIB });
  let bytes = 0;
  for (let count = 0; count < TURNS; count += 1) await turn();
  for await (const chunk of body) {
    bytes += chunk.length;
    for (let count = 0; count < TURNS / 10; count += 1) await turn();
  }
  return bytes;
}

test.each(
  Object.entries(FRAMINGS).flatMap(([name, framing]) =>
    [1, 64, 300, 2_048].map((kib) => [kib, name, framing] as const),
  ),
)('a body of %i KiB that ends by %s is whole for a slow reader', async (kib, _name, framing) => {
  const parts = framing(Buffer.alloc(kib * KIB, 'a'));
  const server = await serveTcp((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n');
      for (const part of parts) socket.write(part);
      socket.end();
    });
  });
  expect(await readLate(`http://a.example:${server.port}/`)).toBe(kib * KIB);
});

test('so is one over TLS', async () => {
  const certificate = selfSigned(['a.example']);
  const body = Buffer.alloc(300 * KIB, 'a');
  const server = await serve(
    (_, response) => response.setHeader('connection', 'close').end(body),
    certificate,
  );
  expect(await readLate(`https://a.example:${server.port}/`, certificate.cert)).toBe(body.length);
});

test('a body that ends before its length is an error for a slow reader', async () => {
  const server = await serveTcp((socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${128 * KIB}\r\n\r\n`);
      socket.end(Buffer.alloc(64 * KIB));
    });
  });
  await expect(readLate(`http://a.example:${server.port}/`)).rejects.toThrow();
});
