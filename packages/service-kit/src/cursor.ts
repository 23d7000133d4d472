import { ContractError, POSITION_MAX, Uuid } from '@agentclash/contracts';

/** An opaque cursor over the sort key of a list's last item; it stays right when items are inserted. */
export function encodeCursor(sortKey: string): string {
  return Buffer.from(sortKey, 'utf8').toString('base64url');
}

/** The sort key behind a cursor, without control characters. Fails with `invalid_input`. */
export function decodeCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const sortKey = Buffer.from(cursor, 'base64url').toString('utf8');
  // PostgreSQL stores no NUL, so no list ends with one.
  if (sortKey !== '' && !/\p{Cc}/u.test(sortKey) && encodeCursor(sortKey) === cursor) return sortKey;
  throw invalidCursor();
}

/** The sort key of a list that is ordered by id. Fails with `invalid_input`. */
export function decodeIdCursor(cursor: string | undefined): string | undefined {
  const id = decodeCursor(cursor);
  if (id === undefined || Uuid.safeParse(id).success) return id;
  throw invalidCursor();
}

/** The sort key of a list that is ordered by a position from 0. Fails with `invalid_input`. */
export function decodePositionCursor(cursor: string | undefined): number | undefined {
  const text = decodeCursor(cursor);
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text) && Number(text) <= POSITION_MAX) return Number(text);
  throw invalidCursor();
}

function invalidCursor(): ContractError {
  return new ContractError('invalid_input', 'The cursor is not one of this list. Start again without it.', {
    errors: [{ code: 'malformed', field: 'cursor', message: 'not a cursor of this list' }],
  });
}

/** Makes a page from one row more than requested: the additional row shows that more follow. */
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
