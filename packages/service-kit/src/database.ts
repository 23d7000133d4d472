import { PrismaPg } from '@prisma/adapter-pg';

export interface DatabaseSettings {
  DATABASE_URL: string;
  DATABASE_CONNECTIONS_MAX: number;
}

/** The Postgres connections of one service, bound to its schema; hand it to the service's Prisma client. */
export function prismaAdapter(settings: DatabaseSettings, schema: string): PrismaPg {
  return new PrismaPg(
    {
      connectionString: settings.DATABASE_URL,
      max: settings.DATABASE_CONNECTIONS_MAX,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
      options: `-c search_path=${schema}`,
    },
    { schema },
  );
}
