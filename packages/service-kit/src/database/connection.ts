import { PrismaPg } from '@prisma/adapter-pg';
import { DirectStatements, type StatementTemplate } from './direct-statements.js';

export interface DatabaseSettings {
  DATABASE_URL: string;
  DATABASE_CONNECTIONS_MAX: number;
}

/** The time that work waits for a connection before it fails. */
const WAIT_MS_MAX = 10_000;
const TRANSACTION_MS_MAX = 15_000;

/**
 * The options of a service's Prisma client: its connections, bound to its schema, and their timeouts. Apply `statements`
 * to the client with `over`; `template` is Prisma's `sql`.
 */
export function connectionTo(settings: DatabaseSettings, schema: string, template: StatementTemplate) {
  const connections = new PrismaPg(
    {
      connectionString: settings.DATABASE_URL,
      max: settings.DATABASE_CONNECTIONS_MAX,
      connectionTimeoutMillis: WAIT_MS_MAX,
      idleTimeoutMillis: 30_000,
      options: `-c search_path=${schema}`,
    },
    { schema },
  );
  const statements = new DirectStatements(connections, template);
  const transactionOptions = { maxWait: WAIT_MS_MAX, timeout: TRANSACTION_MS_MAX };
  return { statements, options: { adapter: statements.factory, transactionOptions } };
}
