import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type pg from 'pg';

/** Type of columns in Postgres' own tables, which Prisma's adapter refuses although its schema engine reads them. */
const CHAR = 18;
const TEXT = 25;

/** Prisma's adapter, made to read the tables in which Postgres describes itself. */
export function readingCatalogs(pool: pg.Pool, schema: string): SqlMigrationAwareDriverAdapterFactory {
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
      });
    },
  });
}

/** Keeps which columns of an answer were characters, by its rows: the adapter hands these on as they are. */
function showingCharsAsText(pool: pg.Pool, chars: WeakMap<object, number[]>): pg.Pool {
  type Answer = pg.QueryArrayResult | pg.QueryArrayResult[];
  const ask: (query: pg.QueryArrayConfig) => Promise<Answer> = pool.query.bind(pool);
  const query = async (asked: pg.QueryArrayConfig) => {
    const answer = await ask(asked);
    // A script of several statements has an answer to each.
    for (const { fields, rows } of [answer].flat()) {
      chars.set(
        rows,
        fields.flatMap((field, index) => (field.dataTypeID === CHAR ? index : [])),
      );
      for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    }
    return answer;
  };
  return Object.assign(pool, { query });
}
