import type pg from 'pg';

/** The services' schemas. */
const SCHEMAS = ['gateway', 'packs', 'runs', 'vault', 'scoring'] as const;

/** All rows at one moment, by schema and table; each row as PostgreSQL's own text for it. */
export type Dump = Map<string, string[]>;

/** Copies every table in one snapshot, as `pg_dump` does, while others write. */
export async function dump(client: pg.Client): Promise<Dump> {
  const copy: Dump = new Map();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  for (const table of await tablesOf(client)) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
    copy.set(
      table,
      rows.map(({ row }) => row),
    );
  }
  await client.query('COMMIT');
  return copy;
}

/** Puts the rows into tables that migrations have made, whatever refers to what; they hold nothing else afterwards. */
export async function restore(client: pg.Client, copy: Dump): Promise<void> {
  await client.query('BEGIN');
  // Rows refer to each other: they are checked by having been there together.
  await client.query('SET LOCAL session_replication_role = replica');
  for (const [table, rows] of copy) {
    await client.query(`DELETE FROM ${table}`);
    const columns = await columnsOf(client, table);
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${prefixed(columns, 'r')} FROM unnest($1::text[]) AS text,
         LATERAL (SELECT (text::${table}).*) AS r`,
      [rows],
    );
  }
  await client.query('COMMIT');
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS table FROM pg_tables
     WHERE schemaname = ANY($1) AND tablename <> '_prisma_migrations' ORDER BY 1`,
    [SCHEMAS],
  );
  return rows.map(({ table }) => table);
}

/** Columns that PostgreSQL computes itself cannot be written. */
async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ column: string }>(
    `SELECT quote_ident(attname) AS column FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  return rows.map(({ column }) => column).join(', ');
}

function prefixed(columns: string, alias: string): string {
  return columns
    .split(', ')
    .map((column) => `${alias}.${column}`)
    .join(', ');
}
