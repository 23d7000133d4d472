import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { KubernetesApi } from './api.js';

test('a watch reads characters that a chunk of the response cuts in two', async () => {
  const podWith = (message: string) => ({ metadata: { name: 'p' }, status: { message } });
  const lineOf = (message: string) =>
    Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object: podWith(message) })}\n`);
  const first = lineOf('begun');
  const second = lineOf('für');
  const cut = second.indexOf('ü') + 1;
  let sendRest = () => {};
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(Buffer.concat([first, second.subarray(0, cut)]));
    sendRest = () => response.end(second.subarray(cut));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = new KubernetesApi({ url }, 'sandboxes');
  try {
    const seen: unknown[] = [];
    for await (const pod of api.watchPod('p', AbortSignal.timeout(10_000))) {
      seen.push(pod);
      sendRest();
    }
    expect(seen).toEqual([podWith('begun'), podWith('für')]);
  } finally {
    await api.close();
    server.close();
  }
});
