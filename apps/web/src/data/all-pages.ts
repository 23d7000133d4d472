import type { CallArguments, CallOptions, Client, ResponseOutput, Route } from '@agentclash/api';
import type { AllItems } from '../design/table-file.js';

/** The largest page that the server returns. */
const PAGE = 200;

/** The response of a paged route. */
export interface PageOf<Item = unknown> {
  items: readonly Item[];
  next_cursor: string | null;
}
export type ItemOf<R extends Route> = ResponseOutput<R> extends { items: readonly (infer I)[] } ? I : never;

/** The items of a paged list from its beginning, fetched page by page, at most `max` of them. */
export async function allPages<R extends Route>(
  { client, route, options }: { client: Client; route: R; options: CallOptions<R> },
  { max = Number.POSITIVE_INFINITY, signal }: { max?: number; signal?: AbortSignal } = {},
): Promise<AllItems<ItemOf<R>>> {
  const { query } = options as { query?: object };
  const items: ItemOf<R>[] = [];
  let cursor: string | null | undefined;
  do {
    const call = { ...options, query: { ...query, limit: PAGE, ...(cursor && { cursor }) }, signal };
    const result: unknown = await client.call(route, ...([call] as unknown[] as CallArguments<R>));
    const page = result as PageOf<ItemOf<R>>;
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor && items.length < max);
  return { items: items.slice(0, max), isCut: Boolean(cursor) || items.length > max };
}
