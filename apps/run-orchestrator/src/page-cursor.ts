import { ContractError } from '@agentclash/contracts';
import { z } from 'zod';

/** Cuts `limit` rows of `limit + 1` read ones; the cursor is of the next page. */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string | number,
): { items: Row[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { items, next_cursor: isMore ? writeCursor(keyOf(last)) : null };
}

/** The id that a page ended with; fails with `invalid_input` for what we did not write. */
export function readIdCursor(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : readCursor(cursor, z.uuid());
}

/** The number that a page ended with; fails with `invalid_input` for what we did not write. */
export function readNumberCursor(cursor: string | undefined): number | undefined {
  return cursor === undefined ? undefined : readCursor(cursor, z.number().int());
}

function writeCursor(key: string | number): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

function readCursor<Key>(cursor: string, key: z.ZodType<Key>): Key {
  try {
    return key.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    throw new ContractError(
      'invalid_input',
      'The cursor is none of ours: begin without one.',
      { errors: [{ code: 'malformed', field: 'cursor', message: 'is not a cursor of this list' }] },
      { cause },
    );
  }
}
