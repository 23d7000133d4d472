/** Session storage holds some five million characters in all. */
const CHARS_MAX = 500_000;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The unsaved pack text of one workspace, stored while its user visits other screens. */
export class DraftText {
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

  /** A text that is too long is not stored, and the previous one is removed, because it would be mistaken for it. */
  keep(text: string): void {
    this.store.removeItem(this.key);
    if (text === '' || text.length > CHARS_MAX) return;
    try {
      this.store.setItem(this.key, text);
    } catch {
      // The storage is full: the text is not stored.
    }
  }
}
