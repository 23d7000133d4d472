import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type ColumnType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import { type AdapterListener, TracedAdapter } from './traced-adapter.js';

/** A statement with its placeholders (`$1`) and their values: Prisma's `Sql`. */
interface Statement {
  text: string;
  values: readonly unknown[];
}

/** Makes a statement of a tagged template: Prisma's `sql`. */
export type StatementTemplate = (strings: TemplateStringsArray, ...values: never[]) => Statement;

/** A statement, or the strings of a tagged template that becomes one. */
type Template = TemplateStringsArray | Statement;

/** The methods of a Prisma client that send raw statements. */
export interface Sends {
  $queryRaw(query: never, ...values: unknown[]): unknown;
  $executeRaw(query: never, ...values: unknown[]): unknown;
  $transaction(work: never, options?: never): unknown;
}

/** A transaction that is being opened, and once it is. */
interface Opening {
  transaction?: Transaction;
}

/** Raw statements cast their values in SQL (`::uuid`), so no types are sent. */
const UNTYPED = { scalarType: 'unknown', arity: 'scalar' } as const;

/**
 * Sends raw statements to the driver directly. Prisma's query engine would compile each of them again with all its values,
 * which takes longer than Postgres needs to run it. Models, transactions and connections stay Prisma's.
 */
export class DirectStatements implements AdapterListener {
  /** The transaction that is being opened in this asynchronous context. */
  private readonly opening = new AsyncLocalStorage<Opening>();
  private connection: Promise<SqlDriverAdapter> | undefined;

  constructor(
    private readonly connections: SqlDriverAdapterFactory,
    private readonly template: StatementTemplate,
  ) {}

  /** The adapter factory for the client, so that both use the same connections. */
  get factory(): SqlDriverAdapterFactory {
    const { provider, adapterName } = this.connections;
    return { provider, adapterName, connect: () => this.connected() };
  }

  /** Redirects this client's raw statements to the driver, inside and outside of transactions. */
  over(client: Sends): void {
    const transact = client.$transaction.bind(client);
    Object.assign(
      client,
      this.sends(() => this.connected()),
      {
        $transaction: (work: unknown, options: never) =>
          typeof work === 'function'
            ? this.begun(transact, work as (tx: object) => unknown, options)
            : transact(work as never, options),
      },
    );
  }

  opened(transaction: Transaction): void {
    const opening = this.opening.getStore();
    if (opening !== undefined) opening.transaction ??= transaction;
  }

  disposed(): void {
    this.connection = undefined;
  }

  private async begun(transact: Sends['$transaction'], work: (tx: object) => unknown, options: never) {
    const opening: Opening = {};
    const working = (tx: object) => work(this.within(tx, opening.transaction));
    return await this.opening.run(opening, () => transact(working as never, options));
  }

  private within(tx: object, transaction: Transaction | undefined): object {
    if (transaction === undefined) throw new Error('a transaction was opened that was not seen');
    const sends: Record<PropertyKey, unknown> = this.sends(async () => transaction);
    return new Proxy(tx, {
      get: (target, name) => (Object.hasOwn(sends, name) ? sends[name] : Reflect.get(target, name)),
    });
  }

  private sends(to: () => Promise<SqlQueryable>) {
    return {
      $queryRaw: async (query: Template, ...values: never[]) =>
        rowsOf(await (await to()).queryRaw(this.statementOf(query, values))),
      $executeRaw: async (query: Template, ...values: never[]) =>
        await (await to()).executeRaw(this.statementOf(query, values)),
    };
  }

  private statementOf(query: Template, given: never[]): SqlQuery {
    const { text, values } = 'text' in query ? query : this.template(query, ...given);
    return { sql: text, args: [...values], argTypes: values.map(() => UNTYPED) };
  }

  private async connected(): Promise<SqlDriverAdapter> {
    this.connection ??= this.connections.connect().then((adapter) => new TracedAdapter(adapter, this));
    try {
      return await this.connection;
    } catch (error) {
      this.disposed();
      throw error;
    }
  }
}

/**
 * Converts the driver's values to those of Prisma's raw queries; types that are not listed stay as the driver returns
 * them.
 */
const READERS: Readonly<Partial<Record<ColumnType, (read: never) => unknown>>> = {
  [ColumnTypeEnum.Int64]: (read: string) => BigInt(read),
  [ColumnTypeEnum.DateTime]: (read: string) => new Date(read),
  [ColumnTypeEnum.Date]: (read: string) => new Date(read),
  [ColumnTypeEnum.Json]: (read: string) => JSON.parse(read) as unknown,
};

/** Types whose values Prisma returns in its own classes. */
const UNREAD: ReadonlySet<ColumnType> = new Set([
  ...[ColumnTypeEnum.Numeric, ColumnTypeEnum.Time, ColumnTypeEnum.NumericArray, ColumnTypeEnum.TimeArray],
  ...[ColumnTypeEnum.Int64Array, ColumnTypeEnum.DateTimeArray],
  ...[ColumnTypeEnum.DateArray, ColumnTypeEnum.JsonArray],
]);

/** Rows as objects by column. Throws for columns of unsupported types, which must be cast in SQL. */
function rowsOf({ columnNames, columnTypes, rows }: SqlResultSet): Record<string, unknown>[] {
  const unread = columnTypes.findIndex((type) => UNREAD.has(type));
  if (unread >= 0) {
    throw new TypeError(`column ${columnNames[unread]} is of a type that has to be cast in its statement`);
  }
  const readers = columnTypes.map((type) => READERS[type] ?? asRead);
  return rows.map((row) =>
    Object.fromEntries(
      columnNames.map((name, index) => {
        const read = row[index];
        return [name, read === null ? null : readers[index]?.(read as never)];
      }),
    ),
  );
}

function asRead(read: unknown): unknown {
  return read;
}
