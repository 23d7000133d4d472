import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { Envd } from './envd.js';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('no call to the daemon of a sandbox follows a redirect, which would keep the access token', async () => {
  const tokens: unknown[] = [];
  const other = await listening(({ headers }, response) => {
    tokens.push(headers['x-access-token']);
    response.end('{}');
  });
  const machine = await listening((request, response) => {
    request.resume();
    response.writeHead(307, { location: `${other}${request.url}` }).end();
  });
  const envd = new Envd(machine, 'a-token');
  await expect(envd.upload('/agentclash/inside', Buffer.from('program'))).rejects.toThrow();
  await expect(envd.run(['/bin/true'])).rejects.toThrow('307');
  await expect(envd.sendInput(1, Buffer.from('input'))).rejects.toThrow('307');
  expect(tokens).toEqual([]);
});
