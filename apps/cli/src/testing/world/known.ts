import { FakeProblem } from '../fake-api.js';

/** When everything in the world happened. */
export const AT = '2026-03-01T12:00:00.000Z';

/** An id that is the same each time. */
export function idOf(number: number): string {
  return `019a0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

export const stored = (number: number) => ({ id: idOf(number), created_at: AT, updated_at: AT });

/** A page with those of the given name, or all. */
export function pageOf<Item>(items: readonly Item[], matches: (item: Item) => boolean = () => true) {
  return { items: items.filter(matches), next_cursor: null };
}

/** Whose name or id it is. */
export function named<Item extends { id: string; name: string }>(items: readonly Item[]) {
  return ({ query }: { query: URLSearchParams }) => {
    const name = query.get('name');
    return pageOf(items, (item) => name === null || item.name === name);
  };
}

/** The one with that id; what is not there is answered as the server does. */
export function found<Item>(items: readonly Item[], is: (item: Item) => boolean, noun: string): Item {
  const item = items.find(is);
  if (item === undefined) {
    throw new FakeProblem({ status: 404, code: 'not_found', detail: `There is no such ${noun}.` });
  }
  return item;
}
