/** What a browser keeps of a tab is some five million characters in all. */
const CHARS_MAX = 500_000;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The text of one workspace's pack, kept for whoever leaves the screen and comes back. */
export class KeptText {
  private readonly key: string;

  constructor(
    private readonly store: Store,
    workspaceId: string,
  ) {
    this.key = `agentclash.pack.${workspaceId}`;
  }

  find(): string {
    return this.store.getItem(this.key) ?? '';
  }

  /** Too long a text is not kept, nor is the one before it: an old one would be taken for it. */
  keep(text: string): void {
    this.store.removeItem(this.key);
    if (text === '' || text.length > CHARS_MAX) return;
    try {
      this.store.setItem(this.key, text);
    } catch {
      // The store is full; typing goes on without.
    }
  }
}
