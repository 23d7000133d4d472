import pg from 'pg';

/** Prisma's own lock: the session that applies migrations holds it, also when its client was lost. */
export const ENGINE_LOCK_KEY = 72_707_369;

/** Migrations that were applied to a schema, by name. */
export async function appliedMigrations(client: pg.Client, schema: string): Promise<Set<string>> {
  if (!(await isThere(client, schema))) return new Set();
  const { rows } = await client.query<{ migration_name: string }>(
    `SELECT migration_name FROM ${tableOf(schema)} WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  return new Set(rows.map((row) => row.migration_name));
}

/**
 * Marks migrations that began and did not end as rolled back, as `prisma migrate resolve --rolled-back` does, and returns
 * their names: Prisma applies nothing beside them. PostgreSQL has undone them, since each is one script, which ends with
 * recording its success in the table. A migration that a server still applies is awaited.
 */
export async function forgetFailed(client: pg.Client, schema: string): Promise<string[]> {
  if (!(await isThere(client, schema))) return [];
  await client.query('SELECT pg_advisory_lock($1)', [ENGINE_LOCK_KEY]);
  await client.query('SELECT pg_advisory_unlock($1)', [ENGINE_LOCK_KEY]);
  const { rows } = await client.query<{ migration_name: string }>(
    `UPDATE ${tableOf(schema)} SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL
     RETURNING migration_name`,
  );
  return rows.map((row) => row.migration_name);
}

/**
 * Prisma records a finished migration in a separate statement. Recorded by the migration's own script too, it is correct
 * also when the connection is lost while the server continues.
 */
export function finishing(schema: string): string {
  return `UPDATE ${tableOf(schema)} SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL`;
}

function tableOf(schema: string): string {
  return `${pg.escapeIdentifier(schema)}._prisma_migrations`;
}

async function isThere(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [
    tableOf(schema),
  ]);
  return rows[0]?.found != null;
}
