import pg from 'pg';
import { DATABASE_OWNERS, type Fleet } from '../fleet/fleet.js';

/** Moves every moment that services have stored an hour into the past, as if so much time had gone by. */
export async function letAnHourPass(fleet: Fleet): Promise<void> {
  await Promise.all(DATABASE_OWNERS.map((service) => shift(fleet.databaseUrl(service))));
}

async function shift(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ table: string; columns: string[] }>(
      `SELECT format('%I.%I', c.table_schema, c.table_name) AS table,
              array_agg(quote_ident(c.column_name)::text) AS columns
         FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.data_type = 'timestamp with time zone' AND t.table_type = 'BASE TABLE'
          AND has_table_privilege(format('%I.%I', c.table_schema, c.table_name), 'UPDATE')
          AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
        GROUP BY 1`,
    );
    for (const { table, columns } of rows) {
      const moves = columns.map((column) => `${column} = ${column} - interval '1 hour'`);
      await client.query(`UPDATE ${table} SET ${moves.join(', ')}`);
    }
  } finally {
    await client.end();
  }
}
