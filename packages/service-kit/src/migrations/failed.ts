import type pg from 'pg';

/** Prisma's own lock: the session that applies migrations holds it, also when its client was lost. */
export const ENGINE_LOCK_KEY = 72_707_369;

/**
 * Marks migrations that began and did not end as rolled back, as `prisma migrate resolve --rolled-back` does, and returns
 * their names: Prisma applies nothing beside them. PostgreSQL has undone them, since each is one script, which ends with
 * saying in the table that it did; one that a server still applies is waited for.
 */
export async function forgetFailed(client: pg.Client, table: string): Promise<string[]> {
  const exists = await client.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [table]);
  if (exists.rows[0]?.found == null) return [];
  await client.query('SELECT pg_advisory_lock($1)', [ENGINE_LOCK_KEY]);
  await client.query('SELECT pg_advisory_unlock($1)', [ENGINE_LOCK_KEY]);
  const { rows } = await client.query<{ migration_name: string }>(
    `UPDATE ${table} SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL
     RETURNING migration_name`,
  );
  return rows.map((row) => row.migration_name);
}
