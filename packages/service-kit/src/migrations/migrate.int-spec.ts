import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freshDatabase, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ENGINE_LOCK_KEY } from './bookkeeping.js';
import { migrate, pendingMigrations } from './migrate.js';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const LOADER = path.resolve(import.meta.dirname, '../../../testkit/src/jest/typescript.mjs');
const TYPESCRIPT = ['--no-warnings', '--conditions=agentclash-source', '--import', LOADER];

const database = await freshDatabase();

describe('migrations', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-migrations-'));
    await writeFile(path.join(folder, 'schema.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n');
    await add('1_first', 'CREATE TABLE "things" ("id" INTEGER NOT NULL);');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function add(name: string, sql: string): Promise<void> {
    await mkdir(path.join(folder, 'migrations', name), { recursive: true });
    await writeFile(path.join(folder, 'migrations', name, 'migration.sql'), sql);
  }

  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const run = () => migrate({ databaseUrl: database.url, schema: 'shop', folder, log });

  test('migrations are applied once, into the schema of the service, also by instances that start together', async () => {
    const applied = await Promise.all([run(), run(), run()]);
    expect(applied.flat()).toEqual(['1_first']);
    expect(await run()).toEqual([]);
    await expect(database.query('SELECT * FROM shop.things')).resolves.toEqual([]);
  });

  test('only pending migrations are applied, and their names are returned', async () => {
    const pending = () => pendingMigrations({ databaseUrl: database.url, schema: 'shop', folder });
    await add('2_second', 'ALTER TABLE "things" ADD COLUMN "name" TEXT;');
    expect(await pending()).toEqual(['2_second']);
    expect(await run()).toEqual(['2_second']);
    expect(await pending()).toEqual([]);
    await expect(database.query('SELECT name FROM shop.things')).resolves.toEqual([]);
  });

  test('the migrations stop at one that fails, with its name and its own error, also when they are tried again', async () => {
    await add('3_broken', 'CREATE TABLE "made" ("id" INTEGER);\nALTER TABLE "nothing" ADD COLUMN "x" TEXT;');
    for (const _ of ['first', 'again']) {
      await expect(run()).rejects.toThrow(/No such table: nothing[\s\S]*3_broken/);
    }
    await expect(database.query('SELECT * FROM shop.made')).rejects.toThrow('does not exist');
  });

  test('the migrations continue when a failed one was corrected, and log which was rolled back', async () => {
    await add('3_broken', 'CREATE TABLE "made" ("id" INTEGER);');
    expect(await run()).toEqual(['3_broken']);
    expect(lines.at(-1)).toBe('3_broken failed before and left nothing: marked as rolled back');
    expect(await run()).toEqual([]);
    await expect(database.query('SELECT * FROM shop.made')).resolves.toEqual([]);
  });

  test('the migrations continue when a failed one no longer exists', async () => {
    await add('4_mistaken', 'ALTER TABLE "nothing" ADD COLUMN "x" TEXT;');
    await expect(run()).rejects.toThrow(/4_mistaken/);
    await rm(path.join(folder, 'migrations', '4_mistaken'), { recursive: true });
    await add('5_instead', 'ALTER TABLE "things" ADD COLUMN "x" TEXT;');
    expect(await run()).toEqual(['5_instead']);
  });

  test('a migration that a server still applies for a lost instance is not set aside', async () => {
    const started = `INSERT INTO shop._prisma_migrations (id, checksum, migration_name) VALUES ('lost', '', '6_slow')`;
    const finished = `UPDATE shop._prisma_migrations SET finished_at = now() WHERE id = 'lost'`;
    await add('6_slow', 'ALTER TABLE "things" ADD COLUMN "slow" TEXT;');
    const lost = new pg.Client({ connectionString: database.url });
    await lost.connect();
    try {
      await lost.query(`SELECT pg_advisory_lock(${ENGINE_LOCK_KEY})`);
      await lost.query(started);
      const next = run();
      const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${ENGINE_LOCK_KEY} AND NOT granted`;
      await waitFor(async () => (await database.query(waiting)).length > 0);
      await lost.query(finished);
      await lost.query(`SELECT pg_advisory_unlock(${ENGINE_LOCK_KEY})`);
      expect(await next).toEqual([]);
    } finally {
      await lost.end();
    }
  });

  test('a migration is recorded in its own transaction, so that one of a lost client is not applied again', async () => {
    const lock = 4711;
    await add('7_lost', `SELECT pg_advisory_xact_lock(${lock}); CREATE TABLE "lost" ("id" INTEGER);`);
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`SELECT pg_advisory_lock(${lock})`);
    const child = spawn(process.execPath, [...TYPESCRIPT, MAIN, 'apply', 'shop', folder], {
      env: { DATABASE_URL: database.url },
      stdio: 'ignore',
    });
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lock} AND NOT granted`;
    await waitFor(async () => (await database.query(waiting)).length > 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const next = run();
    await holder.end();
    expect(await next).toEqual([]);
    await expect(database.query('SELECT * FROM shop.lost')).resolves.toEqual([]);
  });

  test('the migrations hold the lock of Prisma in the session that applies them', async () => {
    const held = `SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND objid = ${ENGINE_LOCK_KEY} AND pid = pg_backend_pid()`;
    await add('8_locked', `CREATE TABLE "locks" AS ${held};`);
    expect(await run()).toEqual(['8_locked']);
    await expect(database.query('SELECT n::int FROM shop.locks')).resolves.toEqual([{ n: 1 }]);
  });

  test('a migration that would not be undone as a whole is refused', async () => {
    await add('9_beside', 'CREATE INDEX CONCURRENTLY "by_name" ON "things" ("name");');
    await expect(run()).rejects.toThrow('9_beside cannot be undone as a whole: CREATE INDEX CONCURRENTLY');
  });
});
