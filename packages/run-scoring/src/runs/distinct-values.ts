/** Values beyond it are rarely equal to others. */
const KEPT_MAX = 1_000;

/** Keeps one copy of equal JSON values, as most attempts of a run end alike. */
export class DistinctValues<T> {
  private readonly known = new Map<string, T>();

  of(value: T): T {
    const text = JSON.stringify(value);
    const found = this.known.get(text);
    if (found !== undefined) return found;
    if (this.known.size < KEPT_MAX) this.known.set(text, value);
    return value;
  }
}
