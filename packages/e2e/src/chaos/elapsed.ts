import pg from 'pg';
import type { Fleet } from '../fleet/fleet.js';

/** Where leases, claims and what is due are kept: the services that act by the clock, and their schemas. */
const CLOCKED = [
  ['run-orchestrator', 'runs'],
  ['scoring', 'scoring'],
] as const;

/** What has happened keeps its moment: it is evidence, and an attempt of other evidence is scored again. */
const RECORDS = ['events'];

/** Moves every moment that these services act by an hour into the past, as if so much time had gone by. */
export async function letAnHourPass(fleet: Fleet): Promise<void> {
  for (const [service, schema] of CLOCKED) await shift(fleet.databaseUrl(service), schema);
}

async function shift(connectionString: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  // A server that ends meanwhile fails the query, and that error is reported.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ table: string; columns: string[] }>(
      `SELECT format('%I.%I', table_schema, table_name) AS table, array_agg(quote_ident(column_name)::text) AS columns
         FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = $1 AND data_type = 'timestamp with time zone' AND table_type = 'BASE TABLE'
          AND table_name NOT LIKE '\\_%' AND table_name <> ALL ($2)
        GROUP BY 1`,
      [schema, RECORDS],
    );
    for (const { table, columns } of rows) {
      const moves = columns.map((column) => `${column} = ${column} - interval '1 hour'`);
      await client.query(`UPDATE ${table} SET ${moves.join(', ')}`);
    }
  } finally {
    await client.end();
  }
}
