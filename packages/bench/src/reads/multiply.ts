import pg from 'pg';

/** What of a run lies in a service's schema: tables, and the columns that hold ids of runs and what belongs to them. */
const TABLES = {
  runs: {
    runs: ['id'],
    run_agents: ['id', 'run_id'],
    attempts: ['id', 'run_id', 'run_agent_id'],
    deliveries: ['attempt_id'],
    events: ['event_id', 'run_id', 'run_agent_id', 'attempt_id'],
  },
  scoring: {
    attempt_scorecards: ['attempt_id', 'run_id', 'run_agent_id'],
    run_agent_scorecards: ['run_agent_id', 'run_id'],
    rankings: ['run_id'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;
export type Schema = keyof typeof TABLES;

/** Belongs to one run alone. */
const NULLED = new Set(['request_id']);

/**
 * Copies everything that one schema holds of its runs so many times, under ids made of the old ones. Other columns stay,
 * so that copies look as if they had been run.
 */
export async function multiply(connectionString: string, schema: Schema, copies: number): Promise<void> {
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    for (const [table, ids] of Object.entries<readonly string[]>(TABLES[schema])) {
      const found = await client.query<{ column_name: string }>(
        'SELECT column_name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
        [schema, table],
      );
      const columns = found.rows.map(({ column_name }) => column_name);
      const values = columns.map((column) => copied(column, ids));
      await client.query(
        `INSERT INTO ${table} (${columns.map(quoted).join(', ')})
         SELECT ${values.join(', ')} FROM ${table} CROSS JOIN generate_series(1, $1::int) AS copy`,
        [copies],
      );
      await client.query(`ANALYZE ${table}`);
    }
  } finally {
    await client.end();
  }
}

function copied(column: string, ids: readonly string[]): string {
  if (NULLED.has(column)) return 'NULL';
  if (!ids.includes(column)) return quoted(column);
  // Version and variant as in every id of ours, or cursors that hold one are refused.
  return `overlay(overlay(md5(${quoted(column)}::text || copy) placing '7' from 13) placing '8' from 17)::uuid`;
}

function quoted(column: string): string {
  return `"${column}"`;
}
