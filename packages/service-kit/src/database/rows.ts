import { type ColumnType, ColumnTypeEnum, type SqlResultSet } from '@prisma/driver-adapter-utils';

/** Converts the driver's values to those of Prisma's raw queries; types that are not listed stay as the driver returns them. */
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
