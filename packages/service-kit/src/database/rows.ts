import { type ColumnType, ColumnTypeEnum, type SqlResultSet } from '@prisma/driver-adapter-utils';

/** Makes of what the driver read what Prisma's raw queries give; what is in no table stands as the driver read it. */
const READERS: Readonly<Partial<Record<ColumnType, (read: never) => unknown>>> = {
  [ColumnTypeEnum.Int64]: (read: string) => BigInt(read),
  [ColumnTypeEnum.DateTime]: (read: string) => new Date(read),
  [ColumnTypeEnum.Date]: (read: string) => new Date(read),
  [ColumnTypeEnum.Json]: (read: string) => JSON.parse(read) as unknown,
};

/** Types whose values Prisma gives in classes of its own. */
const UNREAD: ReadonlySet<ColumnType> = new Set([
  ...[ColumnTypeEnum.Numeric, ColumnTypeEnum.Time, ColumnTypeEnum.NumericArray, ColumnTypeEnum.TimeArray],
  ...[ColumnTypeEnum.Int64Array, ColumnTypeEnum.DateTimeArray],
  ...[ColumnTypeEnum.DateArray, ColumnTypeEnum.JsonArray],
]);

/** Rows as objects by column. Throws for columns of types that no statement asks for: those are to be cast in SQL. */
export function rowsOf({ columnNames, columnTypes, rows }: SqlResultSet): Record<string, unknown>[] {
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
