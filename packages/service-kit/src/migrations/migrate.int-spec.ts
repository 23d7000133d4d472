import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freshDatabase } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migrate, pendingMigrations } from './migrate.js';

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

  const run = () => migrate({ databaseUrl: database.url, schema: 'shop', folder });

  test('are applied once, into the schema of the service, also by instances that start together', async () => {
    const applied = await Promise.all([run(), run(), run()]);
    expect(applied.flat()).toEqual(['1_first']);
    expect(await run()).toEqual([]);
    await expect(database.query('SELECT * FROM shop.things')).resolves.toEqual([]);
  });

  test('apply only what is pending, and say what that is', async () => {
    const pending = () => pendingMigrations({ databaseUrl: database.url, schema: 'shop', folder });
    await add('2_second', 'ALTER TABLE "things" ADD COLUMN "name" TEXT;');
    expect(await pending()).toEqual(['2_second']);
    expect(await run()).toEqual(['2_second']);
    expect(await pending()).toEqual([]);
    await expect(database.query('SELECT name FROM shop.things')).resolves.toEqual([]);
  });

  test('stop at one that fails, with its name', async () => {
    await add('3_broken', 'ALTER TABLE "nothing" ADD COLUMN "x" TEXT;');
    await expect(run()).rejects.toThrow(/3_broken/);
  });
});
