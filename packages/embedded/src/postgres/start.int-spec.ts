import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ensureDatabase } from './database.js';
import { assertNotServedElsewhere, type PostgresServer, startPostgres } from './start.js';

const dataDir = mkdtempSync(path.join(tmpdir(), 'agentclash-postgres-'));
const started: PostgresServer[] = [];
const printed: string[] = [];

async function start(port?: number): Promise<PostgresServer> {
  const server = await startPostgres({
    dataDir,
    port,
    durability: 'process',
    log: (line) => printed.push(line),
  });
  started.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

afterEach(() => Promise.all(started.splice(0).map((server) => server.stop())));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('startPostgres', () => {
  test('data survives a stop and a start', async () => {
    const first = await start();
    await query(first.url(), 'CREATE TABLE kept AS SELECT 1 AS value');
    await first.stop();
    const second = await start();
    expect(await query(second.url(), 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
  });

  test('committed data survives SIGKILL of the server', async () => {
    const first = await start();
    await query(first.url(), 'CREATE TABLE hardened AS SELECT 2 AS value');
    process.kill(postmasterPid(), 'SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const second = await start();
    expect(await query(second.url(), 'SELECT value FROM hardened')).toEqual([{ value: 2 }]);
  });

  test('a second start on the same data is refused while the first runs', async () => {
    await start();
    await expect(start()).rejects.toMatchObject({ name: 'EmbeddedError', code: 'already_running' });
  });

  test('A second start is refused and changes no file where the pids of the first are not to be seen, as from another container.', async () => {
    const first = await start();
    const lock = path.join(dataDir, 'cluster/postmaster.pid');
    const held = readFileSync(lock, 'utf8');
    const other = spawn('sleep', ['60']);
    try {
      rmSync(path.join(dataDir, 'postgres.process.json'));
      // Its number is that of another process there.
      const elsewhere = held.replace(/^\d+/, String(other.pid));
      writeFileSync(lock, elsewhere);
      const error = { code: 'already_running', message: expect.stringContaining('another container') };
      await expect(start()).rejects.toMatchObject(error);
      await expect(assertNotServedElsewhere(dataDir)).rejects.toMatchObject(error);
      expect(readFileSync(lock, 'utf8')).toBe(elsewhere);
    } finally {
      other.kill();
      writeFileSync(lock, held);
    }
    await first.stop();
    await expect(assertNotServedElsewhere(dataDir)).resolves.toBeUndefined();
    await expect(start()).resolves.toBeDefined();
  });

  test('a server whose owner is gone is ended and replaced', async () => {
    const orphan = await start();
    const record = path.join(dataDir, 'postgres.process.json');
    const { server } = JSON.parse(readFileSync(record, 'utf8'));
    writeFileSync(record, JSON.stringify({ server, owner: { pid: process.pid, startedAt: 'long ago' } }));
    const replacement = await start();
    expect(await orphan.exited).toEqual({ code: 0, signal: null });
    expect(await query(replacement.url(), 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
  });

  test('a left-over postmaster.pid whose number went to another process does not stop the start', async () => {
    await (await start()).stop();
    const other = spawn('sleep', ['60']);
    try {
      writeFileSync(
        path.join(dataDir, 'cluster/postmaster.pid'),
        `${other.pid}\n${dataDir}/cluster\n1\n5432\n\n\n`,
      );
      await expect(start()).resolves.toBeDefined();
    } finally {
      other.kill();
    }
  });

  test('a left-over lock of its socket does not stop the start either, even on the same port', async () => {
    const { port, stop } = await start();
    await stop();
    const other = spawn('sleep', ['60']);
    try {
      writeFileSync(
        path.join(dataDir, `socket/.s.PGSQL.${port}.lock`),
        `${other.pid}\n${dataDir}/cluster\n1\n${port}\n${dataDir}/socket\n`,
      );
      await expect(start(port)).resolves.toMatchObject({ port });
    } finally {
      other.kill();
    }
  });

  test('the server is reached by its Unix socket, which is closed to other users, and over TCP', async () => {
    const url = new URL((await start()).url());
    const through = 'SELECT inet_server_port() AS port';
    expect(await query(url.href, through)).toEqual([{ port: null }]);
    expect(statSync(path.join(dataDir, 'socket')).mode & 0o077).toBe(0);
    url.search = '';
    expect(await query(url.href, through)).toEqual([{ port: Number(url.port) }]);
  });

  test('the server is reached over TCP alone where no socket can be made', async () => {
    const { port, stop } = await start();
    await stop();
    const inTheWay = path.join(dataDir, `socket/.s.PGSQL.${port}`);
    mkdirSync(inTheWay);
    const server = await start(port);
    expect(await query(server.url(), 'SELECT inet_server_port() AS port')).toEqual([{ port }]);
    rmdirSync(inTheWay);
  });

  test('the server is reached over TCP alone where the path of a socket would be too long', async () => {
    const deep = path.join(dataDir, 'x'.repeat(80));
    const server = await startPostgres({ dataDir: deep, durability: 'process', log: () => {} });
    started.push(server);
    expect(await query(server.url(), 'SELECT inet_server_port() AS port')).toEqual([{ port: server.port }]);
  });

  test('a port in use fails with its number and a hint', async () => {
    const rival = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => rival.once('listening', resolve));
    const { port } = rival.address() as { port: number };
    await expect(start(port)).rejects.toMatchObject({
      code: 'port_in_use',
      message: `Port ${port} is in use, so PostgreSQL cannot listen on it.`,
      hint: expect.stringContaining('choose another port'),
    });
    rival.close();
  });

  test('text sorts by code point, whatever the locale of the machine', async () => {
    const server = await start();
    const rows = await query(
      server.url(),
      `SELECT x FROM (VALUES ('b'), ('B'), ('a'), ('é')) t(x) ORDER BY x`,
    );
    expect(rows).toEqual([{ x: 'B' }, { x: 'a' }, { x: 'b' }, { x: 'é' }]);
  });

  test('only its owner can enter an ensured database, and ensuring again keeps it', async () => {
    const server = await start();
    const [ann, bob] = ['ann', 'bob'].map((user) => ({ user, password: `${user}'s "word"` }));
    if (!ann || !bob) throw new Error('unreachable');
    await ensureDatabase(server.url(), { database: 'ann', owner: ann });
    await ensureDatabase(server.url(), { database: 'bob', owner: bob });
    await query(server.url('ann', ann), 'CREATE TABLE mine AS SELECT 3 AS value');
    await ensureDatabase(server.url(), { database: 'ann', owner: ann });
    expect(await query(server.url('ann', ann), 'SELECT value FROM mine')).toEqual([{ value: 3 }]);
    await expect(query(server.url('ann', bob), 'SELECT 1')).rejects.toThrow(/permission denied/);
    await expect(query(server.url('ann', { ...ann, password: 'guess' }), 'SELECT 1')).rejects.toThrow(
      /authentication/,
    );
  });
});

function postmasterPid(): number {
  return Number.parseInt(readFileSync(path.join(dataDir, 'cluster/postmaster.pid'), 'utf8'), 10);
}
