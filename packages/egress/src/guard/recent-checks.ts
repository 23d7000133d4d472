/** How long the addresses of a name are used without another lookup. */
export const RECENT_MS = 5_000;
const KEYS_MAX = 1_000;

/** The addresses that passed a check a moment ago, by the key of the requests that may share it. */
export class RecentChecks {
  private readonly checks = new Map<string, { pinned: readonly string[]; until: number }>();

  /** @param now Monotonic milliseconds. */
  constructor(private readonly now: () => number) {}

  find(key: string): readonly string[] | undefined {
    const check = this.checks.get(key);
    if (check === undefined || this.now() < check.until) return check?.pinned;
    this.checks.delete(key);
    return undefined;
  }

  note(key: string, pinned: readonly string[]): void {
    this.checks.delete(key);
    this.checks.set(key, { pinned, until: this.now() + RECENT_MS });
    const [oldest] = this.checks.keys();
    if (this.checks.size > KEYS_MAX && oldest !== undefined) this.checks.delete(oldest);
  }

  /** The next request is checked again. */
  forget(key: string): void {
    this.checks.delete(key);
  }
}
