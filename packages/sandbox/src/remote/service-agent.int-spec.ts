import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Envd, encodeEnvelope } from '../e2b/envd.js';
import { KubernetesApi } from '../kubernetes/api.js';

const KIB = 1024;
const TURNS = 50;

async function turns(): Promise<void> {
  for (let count = 0; count < TURNS; count += 1) await turn();
}

/** Reads what a server responds whose connection ends with it, long after it has ended. */
async function readLate<T>(
  response: Buffer,
  open: (url: string) => AsyncIterable<T> | Promise<AsyncIterable<T>>,
): Promise<T[]> {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${response.length}\r\n\r\n`);
      socket.end(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const items: T[] = [];
    const opened = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await turns();
    for await (const item of opened) {
      items.push(item);
      await turns();
    }
    return items;
  } finally {
    server.close();
  }
}

describe.each([1, 64, 300, 2_048])('a response of %i KiB whose connection has ended', (kib) => {
  test('the output of a container is whole for a slow reader', async () => {
    const chunks = await readLate(Buffer.alloc(kib * KIB, 'a'), (url) =>
      new KubernetesApi({ url }, 'sandboxes').log('pod', 'build', AbortSignal.timeout(60_000)),
    );
    expect(Buffer.concat(chunks)).toHaveLength(kib * KIB);
  });

  test('the states of a pod are whole for a slow reader', async () => {
    const pod = { metadata: { name: 'p' }, status: { message: 'm'.repeat(200) } };
    const line = `${JSON.stringify({ type: 'MODIFIED', object: pod })}\n`;
    const count = Math.ceil((kib * KIB) / line.length);
    const states = await readLate(Buffer.from(line.repeat(count)), (url) =>
      new KubernetesApi({ url }, 'sandboxes').watchPod('p', AbortSignal.timeout(60_000)),
    );
    expect(states).toHaveLength(count);
  });

  test('the events of a process are whole for a slow reader', async () => {
    const event = encodeEnvelope({ event: { data: { stdout: 'c'.repeat(200) } } });
    const count = Math.ceil((kib * KIB) / event.length);
    const process = { cmd: 'true', args: [], user: 'user' } as const;
    const events = await readLate(Buffer.concat(Array(count).fill(event)), (url) =>
      new Envd(url, undefined).start({ ...process, signal: AbortSignal.timeout(60_000) }),
    );
    expect(events).toHaveLength(count);
  });
});
