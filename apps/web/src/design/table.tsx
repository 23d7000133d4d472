import { type MouseEvent, type ReactNode, type Ref, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { classes } from './classes.js';
import { Downloads } from './downloads.js';
import css from './table.module.css';
import { type AllItems, type FileColumn, recordsOf } from './table-file.js';

export interface Column<Row> extends FileColumn<Row> {
  key: string;
  title: ReactNode;
  /** Title of the values in stacked rows, for a `title` that is not a text; default: none. */
  stackedTitle?: string;
  cell: (row: Row) => ReactNode;
  /** Numbers, aligned to the end of the column. */
  isFigure?: boolean;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
  /** Buttons, as narrow as possible at the end of the row. */
  isAction?: boolean;
}

/** Rows below a common heading. */
export interface RowGroup {
  key: string;
  title: ReactNode;
}

interface TableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The address that a click on a row opens; its heading is a link to it, for keyboards. */
  linkOf?: (row: Row) => string;
  /** Element id of a row, for links to it. */
  anchorOf?: (row: Row) => string;
  /** The group of a row; rows of a group follow each other. */
  groupOf?: ((row: Row) => RowGroup | undefined) | undefined;
  /** On narrow screens each row is a block with its values below each other, with their titles: none is out of sight. */
  isStacked?: boolean | undefined;
  /** All rows of the list of which `rows` are a part, for files; absent where `rows` are all. */
  all?: (() => AllRows<Row> | Promise<AllRows<Row>>) | undefined;
}

/** The rows of a whole list, and their columns where those depend on the rows. */
export interface AllRows<Row> extends AllItems<Row> {
  columns?: readonly Column<Row>[];
}

/** A plain table of a few dozen rows; the first cell of a row is its heading. Wide ones scroll by themselves. */
export function Table<Row>({ all, ...content }: TableProps<Row>) {
  const { label, columns, rows, keyOf, groupOf } = content;
  const table = useRef<HTMLTableElement>(null);
  const copy = useRef<HTMLTableElement>(null);
  const [copied, setCopied] = useState<AllRows<Row>>();
  const records = async () => {
    if (all === undefined) return { items: recordsOf(columns, rows, table.current), isCut: false };
    const found = await all();
    // Columns without values for files have texts only once they are rendered.
    flushSync(() => setCopied(found));
    const items = recordsOf(found.columns ?? columns, found.items, copy.current);
    setCopied(undefined);
    return { items, isCut: found.isCut };
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard.
    <section className={css.scroll} aria-label={label} tabIndex={0}>
      <Rows {...content} table={table} />
      {copied && (
        <div hidden>
          <Rows
            {...{ label, keyOf, groupOf, rows: copied.items, table: copy }}
            columns={copied.columns ?? columns}
          />
        </div>
      )}
      {rows.length > 0 && <Downloads label={label} records={records} />}
    </section>
  );
}

type RowsProps<Row> = Omit<TableProps<Row>, 'all'> & { table: Ref<HTMLTableElement> };

function Rows<Row>(props: RowsProps<Row>) {
  const { columns, rows, keyOf, linkOf, anchorOf, groupOf, isStacked, table } = props;
  const [, navigate] = useLocation();
  return (
    <table ref={table} className={classes(css.table, isStacked && css.stacked)}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" className={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      {grouped(rows, groupOf).map(({ group, members }, index) => (
        <tbody key={group?.key ?? `rows ${index}`}>
          {group && (
            <tr className={css.group}>
              <th scope="rowgroup" colSpan={columns.length}>
                {group.title}
              </th>
            </tr>
          )}
          {members.map((row) => (
            <tr
              key={keyOf(row)}
              id={anchorOf?.(row)}
              className={classes(group && css.member, linkOf && css.linked)}
              onClick={linkOf && ((event) => openRow(event, linkOf(row), navigate))}
            >
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.key} scope="row" className={classOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} className={classOf(column)} data-title={titleOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Opens the address of a row, in a new tab as browsers do for links; not for what is pressed or selected in it. */
function openRow(event: MouseEvent<HTMLElement>, address: string, navigate: (to: string) => void): void {
  const { target, currentTarget, ctrlKey, metaKey } = event;
  const control = (target as Element).closest('a, button, input, label, select');
  if (control !== null && currentTarget.contains(control)) return;
  if (getSelection()?.type === 'Range') return;
  if (ctrlKey || metaKey) open(address, '_blank', 'noopener');
  else navigate(address);
}

interface Body<Row> {
  group: RowGroup | undefined;
  members: Row[];
}

/** Successive rows of the same group together. */
function grouped<Row>(rows: readonly Row[], groupOf: TableProps<Row>['groupOf']): Body<Row>[] {
  const bodies: Body<Row>[] = [];
  for (const row of rows) {
    const group = groupOf?.(row);
    const last = bodies.at(-1);
    if (last && last.group?.key === group?.key) last.members.push(row);
    else bodies.push({ group, members: [row] });
  }
  return bodies.length === 0 ? [{ group: undefined, members: [] }] : bodies;
}

type Looks = Pick<Column<never>, 'isFigure' | 'isMinor' | 'isAction'>;

function classOf({ isFigure, isMinor, isAction }: Looks): string {
  return classes(isFigure && css.figure, isMinor && css.minor, isAction && css.action);
}

/** For the style of stacked rows. */
function titleOf({ title, stackedTitle }: Pick<Column<never>, 'title' | 'stackedTitle'>): string | undefined {
  return typeof title === 'string' ? title : stackedTitle;
}
