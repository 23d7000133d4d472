import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createClient, onEvent } from './index.js';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server with the events of one run, which has ended. */
async function served(positions: readonly number[]): Promise<string> {
  const server = createServer((request, response) => {
    const after = Number(request.headers['last-event-id'] ?? 0);
    const left = positions.filter((position) => position > after);
    if (left.length === 0) return void response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      left.map((position) => `id: ${position}\ndata: ${JSON.stringify({ position })}\n\n`).join(''),
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the listener gets every event in order, one after the other, and the call ends with the run', async () => {
  const client = createClient({ baseUrl: await served([1, 2, 3]) });
  const seen: number[] = [];
  let running = 0;
  await onEvent(client, 'run', async ({ position }) => {
    running += 1;
    await new Promise(setImmediate);
    expect(running).toBe(1);
    running -= 1;
    seen.push(position);
  });
  expect(seen).toEqual([1, 2, 3]);
});

test('the error of a listener ends the call', async () => {
  const client = createClient({ baseUrl: await served([1, 2]) });
  const failing = onEvent(client, 'run', () => {
    throw new Error('the listener fails');
  });
  await expect(failing).rejects.toThrow('the listener fails');
});
