import { PrismaPg } from '@prisma/adapter-pg';
import { tracedDatabase } from './telemetry/database-spans.js';

export interface DatabaseSettings {
  DATABASE_URL: string;
  DATABASE_CONNECTIONS_MAX: number;
}

/** A burst of work waits this long for a connection: it must not fail for being a burst. */
const WAIT_MS_MAX = 10_000;

/** What a service's Prisma client is made with: its connections, bound to its schema, and how long they are waited for. */
export function prismaOptions(settings: DatabaseSettings, schema: string) {
  const adapter = new PrismaPg(
    {
      connectionString: settings.DATABASE_URL,
      max: settings.DATABASE_CONNECTIONS_MAX,
      connectionTimeoutMillis: WAIT_MS_MAX,
      idleTimeoutMillis: 30_000,
      options: `-c search_path=${schema}`,
    },
    { schema },
  );
  return { adapter: tracedDatabase(adapter), transactionOptions: { maxWait: WAIT_MS_MAX, timeout: 15_000 } };
}
