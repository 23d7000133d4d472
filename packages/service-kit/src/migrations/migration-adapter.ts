import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { finishing } from './bookkeeping.js';

/** Type of columns in Postgres' own tables, which Prisma's adapter refuses although its schema engine reads them. */
const CHAR = 18;
const TEXT = 25;

interface MigrationAdapterOptions {
  schema: string;
  /** The texts of the migrations: what is sent beside them is Prisma's own. */
  scripts: ReadonlySet<string>;
}

/** Prisma's adapter, made to read the tables in which Postgres describes itself, and to send a migration as one. */
export function migrationAdapter(
  pool: pg.Pool,
  { schema, scripts }: MigrationAdapterOptions,
): SqlMigrationAwareDriverAdapterFactory {
  const chars = new WeakMap<object, number[]>();
  const factory = new PrismaPg(showingCharsAsText(pool, chars), { schema });
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, {
    async connect() {
      const adapter = await connect();
      const queryRaw = adapter.queryRaw.bind(adapter);
      return Object.assign(adapter, {
        async queryRaw(query: Parameters<typeof queryRaw>[0]) {
          const found = await queryRaw(query);
          for (const index of chars.get(found.rows) ?? [])
            found.columnTypes[index] = ColumnTypeEnum.Character;
          return found;
        },
        // Prisma's cuts it at every semicolon, and what came before one that fails would stay.
        executeScript: (script: string) =>
          asOne(pool, scripts.has(script) ? `${script}\n;\n${finishing(schema)}` : script),
      });
    },
  });
}

/** PostgreSQL undoes all of a script whose statement fails, when it comes in one message. */
async function asOne(pool: pg.Pool, script: string): Promise<void> {
  try {
    await pool.query(script);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const { code = '', severity = '', message, detail, column, hint } = error;
    throw new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
  }
}

/** Remembers which columns of a result were characters, by its rows: the adapter passes these on unchanged. */
function showingCharsAsText(pool: pg.Pool, chars: WeakMap<object, number[]>): pg.Pool {
  type Result = pg.QueryArrayResult | pg.QueryArrayResult[];
  const runQuery: (query: pg.QueryArrayConfig) => Promise<Result> = pool.query.bind(pool);
  const query = async (config: pg.QueryArrayConfig) => {
    const result = await runQuery(config);
    // A script of several statements has a result for each.
    for (const { fields, rows } of [result].flat()) {
      chars.set(
        rows,
        fields.flatMap((field, index) => (field.dataTypeID === CHAR ? index : [])),
      );
      for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    }
    return result;
  };
  return Object.assign(pool, { query });
}
