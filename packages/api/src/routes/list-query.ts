import { PageQuery } from '@agentclash/contracts';
import { z } from 'zod';

/** The query of every list: `limit` (default 50, at most 200) and the `next_cursor` of the page before. */
export const ListQuery = z.strictObject(PageQuery.shape);

/** The query of a list from the message behind it: its members without those from the path and the token. */
export function queryOf<Shape extends z.core.$ZodShape, Omitted extends keyof Shape & string>(
  message: z.ZodObject<Shape>,
  ...omitted: Omitted[]
) {
  const shape = Object.fromEntries(
    Object.entries(message.shape).filter(([name]) => !(omitted as string[]).includes(name)),
  );
  return z.strictObject(shape as Omit<Shape, Omitted>);
}
