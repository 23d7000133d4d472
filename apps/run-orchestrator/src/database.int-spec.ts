import { classifyDatabaseError } from '@agentclash/service-kit';
import { freshDatabase } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database } from './database.js';

const database = await freshDatabase();

const open = (url: string) => new Database({ DATABASE_URL: url, DATABASE_CONNECTIONS_MAX: 2 });

/** Ends all other connections to the database, as a restart does. */
const endConnections = () =>
  database.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`);

const codeOf = async (work: Promise<unknown>): Promise<string | undefined> =>
  await work.then(
    () => 'none',
    (error: unknown) => classifyDatabaseError(error)?.code,
  );

describe('an unavailable database', () => {
  const absent = open('postgresql://unknown:x@127.0.0.1:1/nothing');
  let db: Database;

  beforeAll(async () => {
    db = open(database.url);
    await db.$queryRaw`SELECT 1`;
  });

  afterAll(async () => {
    await Promise.all([db.$disconnect(), absent.$disconnect()]);
  });

  test('an unavailable database is never reported as a bug, whatever the statement', async () => {
    expect(await codeOf(absent.$queryRaw`SELECT 1`)).toBe('unavailable');
    expect(await codeOf(absent.run.findFirst())).toBe('unavailable');
    expect(await codeOf(absent.$transaction((tx) => tx.$queryRaw`SELECT 1`))).toBe('unavailable');
  });

  test('an unavailable database in the middle of a transaction is no bug', async () => {
    const work = db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      await endConnections();
      await tx.$queryRaw`SELECT 1`;
    });
    expect(await codeOf(work)).toBe('unavailable');
    expect(await codeOf(db.$queryRaw`SELECT 1`)).toBe('none');
  });

  test('an unavailable database is distinguished from a wrong statement, which is a bug', async () => {
    expect(await codeOf(db.$queryRaw`SELECT nothing FROM nowhere`)).toBeUndefined();
  });
});
