import type { ReactNode } from 'react';
import { classes } from './classes.js';
import css from './table.module.css';

export interface Column<Row> {
  key: string;
  title: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers, aligned to the end of the column. */
  isFigure?: boolean;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
  /** Buttons, as narrow as possible at the end of the row. */
  isAction?: boolean;
}

interface TableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Element id of a row, for links to it. */
  anchorOf?: (row: Row) => string;
}

/** A plain table of a few dozen rows; the first cell of a row is its heading. Wide ones scroll by themselves. */
export function Table<Row>({ label, columns, rows, keyOf, anchorOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard.
    <section className={css.scroll} aria-label={label} tabIndex={0}>
      <table className={css.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} id={anchorOf?.(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row" className={classOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Looks = Pick<Column<never>, 'isFigure' | 'isMinor' | 'isAction'>;

function classOf({ isFigure, isMinor, isAction }: Looks): string {
  return classes(isFigure && css.figure, isMinor && css.minor, isAction && css.action);
}
