import { useSearchParams } from 'wouter';

type Get = (name: string) => string;
/** Sets the named filters and keeps the others; an empty value removes a filter. */
type Set = (changes: Readonly<Record<string, string>>) => void;

/** The filters of a screen, stored in the query of its address. */
export function useFilters(): [get: Get, set: Set] {
  const [search, setSearch] = useSearchParams();
  const get: Get = (name) => search.get(name) ?? '';
  const set: Set = (changes) =>
    setSearch(
      (old) => {
        const next = new URLSearchParams(old);
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return [get, set];
}
