import type { ReactNode } from 'react';
import { Button } from './button.js';
import { Panel } from './panel.js';
import { Empty, Failure, Loading } from './states.js';
import { type Column, Table } from './table.js';
import type { AllItems } from './table-file.js';

interface PagedTableProps<Row> {
  /** In the plural, as in "Loading runs" and "More runs". */
  what: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** As of `Table`. */
  linkOf?: (row: Row) => string;
  isStacked?: boolean;
  /** The result of `usePages`. */
  of: {
    items: readonly Row[];
    error: unknown;
    isPending: boolean;
    isFetchingMore: boolean;
    more: (() => void) | undefined;
    refetch: () => unknown;
    /** Loads the items of all pages, for files. */
    all: () => Promise<AllItems<Row>>;
  };
  /** Shown instead of an empty table. */
  empty: { title: string; children?: ReactNode };
}

/** A list of the workspace as a table, in all its states. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { what, columns, keyOf, linkOf, isStacked, of, empty } = props;
  const { items, error, isPending, isFetchingMore, more, refetch, all } = of;
  const label = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return (
    <>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {isPending && !error && <Loading what={what} />}
      {!isPending && !error && items.length === 0 && <Empty title={empty.title}>{empty.children}</Empty>}
      {items.length > 0 && (
        <Panel isFlush>
          <Table
            {...{ label, columns, rows: items, keyOf, isStacked, ...(linkOf && { linkOf }) }}
            all={more === undefined ? undefined : all}
          />
        </Panel>
      )}
      {more && (
        <Button onClick={more} isBusy={isFetchingMore}>
          More {what}
        </Button>
      )}
    </>
  );
}
