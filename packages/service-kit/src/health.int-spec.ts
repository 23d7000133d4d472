import { afterEach, describe, expect, test } from '@jest/globals';
import { HealthServer, type ReadinessCheck } from './health.js';

describe('health endpoints', () => {
  const servers: HealthServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function fetchHealth(checks: Record<string, ReadinessCheck>, path: string) {
    const server = new HealthServer(checks);
    servers.push(server);
    const port = await server.listen('127.0.0.1', 0);
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: await response.json() };
  }

  test('a service is ready when all its parts are', async () => {
    const { status, body } = await fetchHealth({ bus: () => undefined, database: async () => {} }, '/readyz');
    expect({ status, body }).toEqual({
      status: 200,
      body: { ready: true, parts: { bus: 'ok', database: 'ok' } },
    });
  });

  test('a service that is not ready names its missing parts, and no internal detail', async () => {
    const checks = {
      bus: () => 'disconnected',
      database: async () => {
        throw new Error('connect ECONNREFUSED 10.1.2.3:5432');
      },
    };
    const { status, body } = await fetchHealth(checks, '/readyz');
    expect({ status, body }).toEqual({
      status: 503,
      body: { ready: false, parts: { bus: 'disconnected', database: 'not reachable' } },
    });
  });

  test('a stopping service is not ready with a reason, and alive until it has stopped', async () => {
    const server = new HealthServer({ bus: () => undefined });
    servers.push(server);
    const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
    server.drain();
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { ready: false, parts: { service: 'stopping' } },
    ]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('a service that is not ready is alive all the same', async () => {
    expect(await fetchHealth({ bus: () => 'disconnected' }, '/healthz')).toEqual({
      status: 200,
      body: { status: 'ok' },
    });
  });
});
