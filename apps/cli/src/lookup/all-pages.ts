import type { Page } from '@agentclash/api';

export const PAGE_SIZE = 200;

/** The items of all pages, or the first so many. */
export async function allPages<Item>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
  itemsMax = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && items.length < itemsMax);
  return items.slice(0, itemsMax);
}
