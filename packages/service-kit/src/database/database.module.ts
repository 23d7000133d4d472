import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ReadinessChecks } from '../health.js';
import { connectionTo, type DatabaseSettings } from './connection.js';
import type { Sends, StatementTemplate } from './direct-statements.js';

/** The methods of a generated Prisma client that service-kit calls. */
interface PrismaClient extends Sends {
  $queryRaw(query: TemplateStringsArray): Promise<unknown>;
  $disconnect(): Promise<void>;
}

type ClientOptions = ReturnType<typeof connectionTo>['options'];

export interface DatabaseClient {
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
