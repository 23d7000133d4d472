import { PROBLEM_SEVERITIES } from '@agentclash/domain';
import { z } from 'zod';

export const Uuid = z.uuid();

/** The largest sequence number, position or delivery: what a PostgreSQL integer holds. */
export const POSITION_MAX = 2 ** 31 - 1;
/** Text for a database column: Postgres text cannot hold U+0000, and its JSON no half of a surrogate pair. */
export const PlainText = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters');
export const Timestamp = z.iso.datetime({ offset: true });
/** The fields of a schema of `T`: all members of `T`, and no other. */
export type FieldsOf<T> = { [K in keyof T]-?: z.ZodType<T[K]> };
/** The same for a schema that machines send, and that takes more values than `T` has. */
export type WireFieldsOf<T> = { [K in keyof T]-?: z.ZodType };

/** A place below a directory. */
export const RelativePath = z
  .string()
  .min(1)
  .max(1_024)
  .regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\p{Cc}\\]+$/u, 'must be relative, without ".." and backslashes');

/** Free JSON; what is inside belongs to another document's rules. */
export const JsonObject = z.record(z.string(), z.unknown());

/** A slice of a list, in the list's own order. `cursor` is opaque. */
export const PageQuery = z.object({
  limit: z.number().int().min(1).max(200).default(50),
  cursor: z.string().max(512).optional(),
});
export type PageQuery = z.infer<typeof PageQuery>;

export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });
export type Page<Item> = { items: Item[]; next_cursor: string | null };

export const Problem = z.object({
  code: z.string(),
  severity: z.enum(PROBLEM_SEVERITIES),
  field: z.string(),
  message: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  suggestion: z.string().optional(),
  /** Of the data file whose rows are cases, from 1. */
  row: z.number().int().optional(),
  /** The column of that row. */
  column_name: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;

/** A request that succeeded, and may not be what the user intended. */
export const Warning = z.object({ code: z.string(), message: z.string() });
export type Warning = z.infer<typeof Warning>;

/** The requester, for audit trails: a token's name or a service. */
export const Actor = PlainText.min(1).max(200);

/** The largest number of a run. */
const RUN_NUMBER_MAX = 2_147_483_647;

/** The number in `42` or `#42`; undefined for other texts. */
export function runNumberOf(text: string): number | undefined {
  const number = Number(/^#?(\d{1,10})$/.exec(text)?.[1]);
  return number >= 1 && number <= RUN_NUMBER_MAX ? number : undefined;
}

function isPartLength(digits: number): boolean {
  return digits >= 4 && digits <= 32;
}

/** The beginning or the end of an id, hyphens or not; or the number of a run, with `#` before it or not. */
export const IdPart = z
  .string()
  .max(36)
  .regex(
    /^(#\d{1,10}|[0-9a-fA-F-]+)$/,
    'must be the number of a run, or a part of an id: hexadecimal digits and hyphens',
  )
  .refine(
    (part) => runNumberOf(part) !== undefined || isPartLength(part.replaceAll('-', '').length),
    'must have 4 to 32 digits, unless it is the number of a run',
  );
