import pg from 'pg';

export interface Login {
  user: string;
  password: string;
}

export interface EnsureDatabaseOptions {
  database: string;
  /** Created when absent; its password is set to the given one every time. */
  owner: Login;
}

/**
 * Makes sure that the database exists, belongs to `owner`, and that no other ordinary user can connect to it.
 * `adminUrl` is a connection string of a superuser. Safe to repeat.
 */
export async function ensureDatabase(
  adminUrl: string,
  { database, owner }: EnsureDatabaseOptions,
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const role = client.escapeIdentifier(owner.user);
    const name = client.escapeIdentifier(database);
    const roles = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [owner.user]);
    const verb = roles.rowCount === 0 ? 'CREATE' : 'ALTER';
    await client.query(`${verb} ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(owner.password)}`);
    const databases = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${name} OWNER ${role}`);
    await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  } finally {
    await client.end();
  }
}
