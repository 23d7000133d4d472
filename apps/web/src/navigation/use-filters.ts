import { useSearchParams } from 'wouter';

/** The filters of a list, kept in the address: what they are, and a way to set one (empty: without it). */
export function useFilters(): [get: (name: string) => string, set: (name: string, value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const get = (name: string) => search.get(name) ?? '';
  const set = (name: string, value: string) =>
    setSearch(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [get, set];
}
