import { connectionTo } from '@agentclash/service-kit';
import { freshDatabase, waitFor } from '@agentclash/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Database, SCHEMA } from './database.js';
import { Prisma, PrismaClient } from './generated/client.js';

const database = await freshDatabase();
await database.query('CREATE TABLE notes (id int PRIMARY KEY, text text)');

const settings = { DATABASE_URL: database.url, DATABASE_CONNECTIONS_MAX: 3 };
const db = new Database(settings);
const prismas = new PrismaClient(connectionTo(settings, SCHEMA, Prisma.sql).options);

afterAll(async () => {
  await Promise.all([db.$disconnect(), prismas.$disconnect()]);
});

const VALUES = Prisma.sql`
  SELECT 1 AS int, 2::bigint AS big, 0.5::float8 AS double, 0.25::real AS real, true AS yes, 'text' AS text,
         'c'::char AS character, NULL::timestamptz AS never, NULL::json AS nothing, 'null'::json AS null,
         '{"a":[1,"\\u0000"]}'::json AS json, '[2]'::jsonb AS jsonb, '"s"'::json AS string,
         '2026-11-22T10:11:12.345678+02:00'::timestamptz AS at, '2026-11-22'::date AS day,
         '018f2a3e-7f00-7000-8000-000000000000'::uuid AS id, '\\x00ff'::bytea AS bytes,
         ARRAY[1, 2] AS ints, ARRAY['a', NULL] AS texts, ARRAY['018f2a3e-7f00-7000-8000-000000000000'::uuid] AS ids,
         ${new Date('2026-11-22T08:00:00.123Z')}::timestamptz AS given_at, ${['a', 'b']}::text[] AS given_list,
         ${[3, 4]}::int[] AS given_numbers, ${12n}::bigint AS given_big, ${null}::text AS given_nothing,
         ${Buffer.from('é')}::bytea AS given_bytes, ${0.1}::float8 AS given_double, ${'é\\'}::text AS given_text,
         ${true}::boolean AS given_yes`;

describe('statements of ours', () => {
  test('direct statements read and return the same values as Prisma', async () => {
    const [expected] = await prismas.$queryRaw<object[]>(VALUES);
    expect(await db.$queryRaw(VALUES)).toEqual([expected]);
    expect(await db.$transaction((tx) => tx.$queryRaw(VALUES))).toEqual([expected]);
    expect(Object.keys(expected ?? {})).toHaveLength(29);
  });

  test('direct statements report which column needs a cast, where no statement has its type', async () => {
    await expect(db.$queryRaw`SELECT 1 AS id, 1.5::numeric AS price`).rejects.toThrow('column price');
  });

  test('direct statements report how many rows they changed', async () => {
    expect(await db.$executeRaw`INSERT INTO public.notes VALUES (1, 'a'), (2, 'b')`).toBe(2);
    expect(await db.$executeRaw`DELETE FROM public.notes`).toBe(2);
  });

  test('direct statements are part of the transaction that they are sent through, and of no other', async () => {
    const failed = db.$transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO public.notes VALUES (1, 'undone')`;
      await db.$transaction((other) => other.$executeRaw`INSERT INTO public.notes VALUES (2, 'other')`);
      await db.$executeRaw`INSERT INTO public.notes VALUES (3, 'outside')`;
      expect(await tx.$queryRaw`SELECT id FROM public.notes ORDER BY id`).toEqual([
        { id: 1 },
        { id: 2 },
        { id: 3 },
      ]);
      expect(await db.$queryRaw`SELECT id FROM public.notes ORDER BY id`).toEqual([{ id: 2 }, { id: 3 }]);
      throw new Error('undo');
    });
    await expect(failed).rejects.toThrow('undo');
    expect(await db.$queryRaw`SELECT id FROM public.notes ORDER BY id`).toEqual([{ id: 2 }, { id: 3 }]);
  });

  test('direct statements are refused after the end of their transaction', async () => {
    await db.$executeRaw`DELETE FROM public.notes`;
    let late: Promise<unknown> = Promise.resolve();
    const slow = db.$transaction(
      async (tx) => {
        await waitFor(() =>
          tx.$executeRaw`SELECT 1`.then(
            () => false,
            () => true,
          ),
        );
        late = tx.$executeRaw`INSERT INTO public.notes VALUES (1, 'late')`;
        await late;
      },
      { timeout: 50 },
    );
    await expect(slow).rejects.toThrow();
    await expect(late).rejects.toThrow();
    expect(await db.$queryRaw`SELECT id FROM public.notes`).toEqual([]);
  });

  test('direct statements work again after the client was closed and reused', async () => {
    await db.$disconnect();
    expect(await db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });
});
