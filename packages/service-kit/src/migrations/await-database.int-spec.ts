import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freshDatabase, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withDatabase } from './await-database.js';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const LOADER = path.resolve(import.meta.dirname, '../../../testkit/src/jest/typescript.mjs');
const TYPESCRIPT = ['--no-warnings', '--conditions=agentclash-source', '--import', LOADER];
const EXIT_FAILED = 69;

const database = await freshDatabase();

describe('a migration job that starts before the database', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-early-'));
    await mkdir(path.join(folder, 'migrations/1_first'), { recursive: true });
    await writeFile(path.join(folder, 'schema.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n');
    await writeFile(
      path.join(folder, 'migrations/1_first/migration.sql'),
      'CREATE TABLE "early" ("id" INTEGER);',
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('a migration job waits for the database, logs the reason, and succeeds in its first try', async () => {
    const target = new URL(database.url);
    const port = await freePort();
    const url = new URL(database.url);
    url.searchParams.delete('host'); // of a socket, which is there as soon as the server is
    Object.assign(url, { hostname: '127.0.0.1', port: String(port) });
    const job = run('apply', url.href);
    await waitFor(() => job.output().includes('early: waiting for the database: connect ECONNREFUSED'));
    const late = createServer((socket) => {
      const upstream = connect(Number(target.port), target.hostname);
      socket.pipe(upstream).pipe(socket);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    });
    await listening(late, port);
    try {
      expect(await job.exit).toBe(0);
      expect(job.output()).toContain('early: applied 1_first');
      await expect(database.query('SELECT * FROM early.early')).resolves.toEqual([]);
    } finally {
      late.close();
    }
  });

  test.each([
    ['apply', 'early: nothing was pending'],
    ['await', 'early: nothing is pending'],
  ])('a migration job with %s begins again when its connection is lost', async (verb, done) => {
    await run('apply', database.url).exit;
    const target = new URL(database.url);
    let connections = 0;
    const unsteady = createServer((socket) => {
      connections += 1;
      // The first shows that the database is there, the second is that of the work.
      if (connections === 2) return void socket.destroy();
      const upstream = connect(Number(target.port), target.hostname);
      socket.pipe(upstream).pipe(socket);
      for (const end of [socket, upstream]) end.on('error', () => {});
    });
    const url = new URL(database.url);
    url.searchParams.delete('host');
    Object.assign(url, { hostname: '127.0.0.1', port: String(await listening(unsteady)) });
    try {
      const job = run(verb, url.href);
      expect(await job.exit).toBe(0);
      expect(job.output()).toContain('early: the connection to the database was lost: ');
      expect(job.output()).toContain(done);
    } finally {
      unsteady.close();
    }
  });

  test.each(['apply', 'await'])(
    'a migration job with %s fails at once, since waiting changes nothing',
    async (verb) => {
      const absent = new URL(database.url);
      absent.pathname = '/no_such_database';
      const job = run(verb, absent.href);
      expect(await job.exit).toBe(EXIT_FAILED);
      expect(job.output()).toContain('database "no_such_database" does not exist');
      expect(job.output()).not.toContain('waiting');
    },
  );

  test('a migration job gives up after its time, with the reason', async () => {
    const url = `postgresql://user@127.0.0.1:${await freePort()}/none`;
    const waiting = withDatabase({ databaseUrl: url, log: () => {}, waitMsMax: 0 }, async () => 'never');
    await expect(waiting).rejects.toThrow('ECONNREFUSED');
  });

  function run(verb: string, databaseUrl: string) {
    const child = spawn(process.execPath, [...TYPESCRIPT, MAIN, verb, 'early', folder], {
      env: { DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    return { output: () => text, exit: once(child, 'close').then(([code]) => code as number | null) };
  }
});

async function listening(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  return port;
}
