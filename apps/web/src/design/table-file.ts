import { type CsvCell, csvRow } from '@agentclash/api/csv';

export const TABLE_FILES = ['csv', 'json'] as const;
type TableFile = (typeof TABLE_FILES)[number];

/** Rows that a file of a table may have. */
export const FILE_ROWS_MAX = 10_000;

/** The values of one row of a file by their names, such as `{p50_ms: 37}`; null is an empty cell. */
export type FileRecord = Readonly<Record<string, CsvCell>>;

/** The part of a column that goes into files. */
export interface FileColumn<Row> {
  /** Exact values, the unit at the end of a name; without it files have the text of the cell. */
  file?: (row: Row) => FileRecord;
}

/** The items of a list, up to a bound. */
export interface AllItems<Item> {
  items: readonly Item[];
  /** True where the list has more than the bound. */
  isCut: boolean;
}

/** A file of records: the columns of CSV are the names of all of them. */
export function recordsFile(records: readonly FileRecord[], format: TableFile): Blob {
  if (format === 'json') return new Blob([JSON.stringify(records, null, 2)], { type: 'application/json' });
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) => names.map((name) => record[name] ?? null));
  return new Blob([names, ...rows].map(csvRow), { type: 'text/csv; charset=utf-8' });
}

/**
 * A record for each row: the values of its columns, for columns without any the text of `shown`, a table of the same rows;
 * also of columns that a narrow screen hides, times in full.
 */
export function recordsOf<Row>(
  columns: readonly FileColumn<Row>[],
  rows: readonly Row[],
  shown: HTMLTableElement | null,
): FileRecord[] {
  const titles = [...(shown?.querySelectorAll('thead th') ?? [])].map(textOf);
  // A heading of a group spans all columns.
  const lines = [...(shown?.querySelectorAll('tbody tr:not(:has(> [scope="rowgroup"]))') ?? [])];
  return rows.map((row, at) =>
    Object.assign(
      {},
      ...columns.map(({ file }, position) => {
        if (file) return file(row);
        const [title, cell] = [titles[position], lines[at]?.children[position]];
        // Columns of buttons have no title.
        return title && cell ? { [title]: textOf(cell) } : {};
      }),
    ),
  );
}

/** The words of a cell in one line, members of a list apart. */
function textOf(cell: Element): string {
  return textOfNode(cell).replaceAll(/\s+/gu, ' ').trim().replace(/;$/, '');
}

function textOfNode(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  if (!(node instanceof Element) || node instanceof SVGElement) return '';
  if (node.classList.contains('visually-hidden')) return '';
  if (node instanceof HTMLTimeElement) return node.dateTime;
  if (node instanceof HTMLSelectElement || node instanceof HTMLInputElement) return '';
  const text = [...node.childNodes].map(textOfNode).join('');
  return node instanceof HTMLLIElement ? `${text}; ` : text;
}
