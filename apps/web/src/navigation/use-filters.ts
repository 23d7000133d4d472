import { useSearchParams } from 'wouter';

type Get = (name: string) => string;
/** Sets what is named and leaves the rest; an empty value takes a filter away. */
type Set = (changes: Readonly<Record<string, string>>) => void;

/** The filters of a screen, kept in the address: what they are, and a way to change them. */
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
