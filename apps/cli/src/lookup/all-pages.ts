import type { Page } from '@agentclash/api';

export const PAGE_SIZE = 200;

/** The items of each page; a page is read when the one before it has been used. */
export async function* pagesOf<Item>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item[], void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    yield page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** The items of all pages, or the first so many. */
export async function allPages<Item>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
  itemsMax = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesOf(fetchPage)) {
    items.push(...page);
    if (items.length >= itemsMax) break;
  }
  return items.slice(0, itemsMax);
}
