import { type DynamicModule, Global, Module } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { ReadinessChecks } from '../health.js';
import { DirectStatements, type Sends, type StatementTemplate } from './direct-statements.js';

/** The methods of a generated Prisma client that service-kit calls. */
interface PrismaClient extends Sends {
  $queryRaw(query: TemplateStringsArray): Promise<unknown>;
  $disconnect(): Promise<void>;
}

type ClientOptions = ReturnType<typeof connectionTo>['options'];

interface DatabaseClient {
  /** A readiness check: fails when the database cannot be reached. */
  ping(): Promise<void>;
  /** Nest's lifecycle hook: disconnects after the handlers and the periodic work have ended. */
  onApplicationShutdown(): Promise<void>;
}

/** The class of a service's Prisma client, bound to its schema. */
export interface DatabaseClass<Client = object> {
  /** The service's own Postgres schema. */
  readonly schema: string;
  new (settings: DatabaseSettings): Client & DatabaseClient;
}

/** The base class of a service's `Database`: its generated client with connections and raw statements in its schema. */
export function createDatabase<Client extends PrismaClient>(
  schema: string,
  Generated: new (options: ClientOptions) => Client,
  template: StatementTemplate,
): DatabaseClass<Client> {
  const Base: new (options: ClientOptions) => PrismaClient = Generated;
  class Database extends Base implements DatabaseClient {
    static readonly schema = schema;

    constructor(settings: DatabaseSettings) {
      const { options, statements } = connectionTo(settings, schema, template);
      super(options);
      statements.over(this);
    }

    async ping(): Promise<void> {
      await this.$queryRaw`SELECT 1`;
    }

    async onApplicationShutdown(): Promise<void> {
      await this.$disconnect();
    }
  }
  // A class cannot extend a type parameter: TypeScript loses that `Generated` makes a `Client`.
  return Database as DatabaseClass<Client>;
}

/** Provides a service's database to all its modules, with a readiness check. */
@Global()
@Module({})
export class DatabaseModule {
  static with(database: DatabaseClass, settings: DatabaseSettings): DynamicModule {
    const provider = {
      provide: database,
      useFactory: (checks: ReadinessChecks) => {
        const client = new database(settings);
        checks.add('database', () => client.ping());
        return client;
      },
      inject: [ReadinessChecks],
    };
    return { module: DatabaseModule, providers: [provider], exports: [database] };
  }
}

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
