import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { type NatsOptions, type NatsServer, startNats } from './start.js';

const dataDir = mkdtempSync(path.join(tmpdir(), 'agentclash-nats-'));
const started: NatsServer[] = [];

async function start(options: Partial<NatsOptions> = {}): Promise<NatsServer> {
  const server = await startNats({ dataDir, log: () => {}, ...options });
  started.push(server);
  return server;
}

/** The first message of the server's protocol: `INFO {...}`. */
async function greeting(port: number): Promise<Record<string, unknown>> {
  const socket = connect(port, '127.0.0.1');
  const chunk = await new Promise<Buffer>((resolve, reject) => {
    socket.once('data', resolve);
    socket.once('error', reject);
  });
  socket.destroy();
  return JSON.parse(chunk.toString().replace(/^INFO /, ''));
}

afterEach(() => Promise.all(started.splice(0).map((server) => server.stop())));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('startNats', () => {
  test('startNats serves JetStream on a free loopback port', async () => {
    const server = await start();
    expect(server.url).toBe(`nats://127.0.0.1:${server.port}`);
    expect(await greeting(server.port)).toMatchObject({ jetstream: true, host: '127.0.0.1' });
  });

  test('a configuration file sets accounts, its variables come from env, and the address cannot be changed', async () => {
    const configFile = path.join(dataDir, 'accounts.conf');
    writeFileSync(
      configFile,
      'listen: "0.0.0.0:1"\njetstream { max_mem: 8MB }\nauthorization { users = [{ user: a, password: $A_PASSWORD }] }\n',
    );
    const server = await start({ configFile, env: { A_PASSWORD: 'x' } });
    expect(await greeting(server.port)).toMatchObject({
      auth_required: true,
      jetstream: true,
      host: '127.0.0.1',
    });
  });

  test("a broken configuration fails with the server's error message", async () => {
    const configFile = path.join(dataDir, 'broken.conf');
    writeFileSync(configFile, 'authorization { users = $ABSENT }\n');
    await expect(start({ configFile })).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining('ABSENT'),
    });
  });

  test('a port in use fails with its number and a hint', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await expect(start({ port })).rejects.toMatchObject({
      code: 'port_in_use',
      message: `Port ${port} is in use, so nats-server cannot listen on it.`,
    });
    other.close();
  });

  test('a server whose owner is gone is ended and replaced', async () => {
    const orphan = await start();
    const record = path.join(dataDir, 'nats.process.json');
    const { server } = JSON.parse(readFileSync(record, 'utf8'));
    writeFileSync(record, JSON.stringify({ server, owner: { pid: process.pid, startedAt: 'long ago' } }));
    const replacement = await start();
    await orphan.exited;
    expect(await greeting(replacement.port)).toMatchObject({ jetstream: true });
  });

  test('a second start on the same data is refused while the first runs', async () => {
    await start();
    await expect(start()).rejects.toMatchObject({ code: 'already_running' });
  });

  test('A second start is refused where the pids of the first are not to be seen, as from another container.', async () => {
    const first = await start();
    rmSync(path.join(dataDir, 'nats.process.json'));
    await expect(start()).rejects.toMatchObject({
      code: 'already_running',
      message: expect.stringContaining('another container'),
    });
    await first.stop();
    await expect(start()).resolves.toBeDefined();
  });
});
