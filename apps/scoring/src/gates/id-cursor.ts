import { ContractError, Uuid } from '@agentclash/contracts';
import { decodeCursor } from '@agentclash/service-kit';

/** The id that the page before ended with. Fails with `invalid_input` for what is not one of our cursors. */
export function readIdCursor(cursor: string | undefined): string | undefined {
  const after = decodeCursor(cursor);
  if (after === undefined || Uuid.safeParse(after).success) return after;
  throw new ContractError('invalid_input', 'The cursor is not one of ours. Start again without it.');
}
