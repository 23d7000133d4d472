import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PostgresServer, startPostgres } from '@agentclash/embedded';

export interface LazyPostgres {
  /** `GET` returns `{url}`: the superuser's connection string. The first request starts the server. */
  url: string;
  close(): Promise<void>;
}

/**
 * One PostgreSQL per test run, started by the first request of a test file. It belongs to the process that runs the
 * tests, not to the worker that requested it first.
 */
export async function openLazyPostgres(): Promise<LazyPostgres> {
  let starting: Promise<PostgresServer> | undefined;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'agentclash-test-postgres-'));
  const endpoint = createServer((_request, response) => {
    // A kept-alive connection may close at the moment of the next request.
    response.shouldKeepAlive = false;
    starting ??= startPostgres({ dataDir, durability: 'process', log: () => {} });
    starting.then(
      (server) => response.end(JSON.stringify({ url: server.url() })),
      (error: Error) => response.writeHead(500).end(JSON.stringify({ problem: error.message })),
    );
  });
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  return {
    url: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
    async close() {
      endpoint.close();
      endpoint.closeAllConnections();
      await starting?.then((server) => server.stop()).catch(() => {});
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
