import { ContractError } from '@agentclash/contracts';

/** An opaque cursor over the sort key of a list's last item; it stays right when items are inserted. */
export function encodeCursor(sortKey: string): string {
  return Buffer.from(sortKey, 'utf8').toString('base64url');
}

/** The sort key behind a cursor. Fails with `invalid_input` for what was never one. */
export function decodeCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const sortKey = Buffer.from(cursor, 'base64url').toString('utf8');
  if (sortKey !== '' && encodeCursor(sortKey) === cursor) return sortKey;
  throw new ContractError('invalid_input', 'The cursor is not one of ours. Start again without it.', {
    errors: [{ code: 'malformed', field: 'cursor', message: 'not a cursor of this list' }],
  });
}

/** Makes a page of one row more than was asked for: the row too many only says that more follows. */
export function pageOf<Row, Item>(
  rows: Row[],
  limit: number,
  list: { item: (row: Row) => Item; sortKey: (row: Row) => string },
): { items: Item[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: shown.map(list.item), next_cursor: hasMore ? encodeCursor(list.sortKey(last)) : null };
}
