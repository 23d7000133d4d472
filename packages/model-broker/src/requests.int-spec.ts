import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { waitFor } from '@agentclash/testkit';
import { expect, test } from '@jest/globals';
import { readBody } from './requests.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('A request that arrives in single bytes takes no more memory than its body', async () => {
  const count = 300_000;
  const head = 'POST / HTTP/1.1\r\nhost: broker\r\ntransfer-encoding: chunked\r\n\r\n';
  const chunks = '1\r\nx\r\n'.repeat(count);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const program = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    program.write(head);
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    const reading = readBody(request, count);
    const before = heapBytes();
    program.write(chunks);
    const { socket } = request;
    await waitFor(() => socket.bytesRead === head.length + chunks.length && request.readableLength === 0);
    // The buffer grows to twice its size; a list of the chunks takes hundreds of bytes for each.
    expect(heapBytes() - before).toBeLessThan(20 * count);
    program.write('0\r\n\r\n');
    expect(await reading).toHaveLength(count);
  } finally {
    program.destroy();
    server.close();
  }
});

test('A request that exceeds its limit is refused at the first byte beyond it', async () => {
  const request = () => Readable.from([Buffer.alloc(6), Buffer.alloc(4)]) as IncomingMessage;
  expect(await readBody(request(), 10)).toHaveLength(10);
  expect(await readBody(request(), 9)).toBe('too_large');
});
