import { csvRow } from '@agentclash/api/csv';
import type { Column } from './columns.js';
import type { ResultRecord } from './record.js';

/** RFC 4180, UTF-8 with a header. */
export async function* csvLines(
  records: AsyncIterable<ResultRecord>,
  columns: readonly Column[],
): AsyncGenerator<string, void, undefined> {
  yield csvRow(columns.map(({ name }) => name));
  for await (const record of records) yield csvRow(columns.map(({ cellOf }) => cellOf(record)));
}
