const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Key ids and keys in base64: the one form of keys in a file or in the environment. */
export interface RevealedKeys {
  active: string;
  keys: Record<string, string>;
}

/** The master keys by id; new secrets are wrapped with the active one. Never changes, and cannot be printed. */
export class KeyRing {
  readonly activeId: string;
  readonly #keys = new Map<string, Buffer>();

  /** Throws, naming the key, when one cannot be used. */
  constructor(keys: Record<string, string>, activeId: string) {
    for (const [id, text] of Object.entries(keys)) {
      const key = Buffer.from(text, 'base64');
      if (!KEY_ID.test(id))
        throw new Error('a key id is 1 to 64 letters, digits, dots, hyphens and underscores');
      if (key.length !== KEY_BYTES)
        throw new Error(`the master key "${id}" is not base64 of ${KEY_BYTES} bytes`);
      this.#keys.set(id, key);
    }
    if (!this.#keys.has(activeId)) throw new Error(`the active key "${activeId}" is not among the keys`);
    this.activeId = activeId;
  }

  /** Ids of all keys, sorted. */
  get ids(): string[] {
    return [...this.#keys.keys()].sort();
  }

  /** Ids of the keys that only open, sorted. */
  get otherIds(): string[] {
    return this.ids.filter((id) => id !== this.activeId);
  }

  has(id: string): boolean {
    return this.#keys.has(id);
  }

  /** Throws when the ring lacks the key. */
  get(id: string): Buffer {
    const key = this.#keys.get(id);
    if (key === undefined) throw new Error(`the key ring lacks the master key "${id}"`);
    return key;
  }

  /** The same keys and one more, which is the active one. */
  withActive(id: string, key: Uint8Array): KeyRing {
    const { keys } = this.reveal();
    return new KeyRing({ ...keys, [id]: Buffer.from(key).toString('base64') }, id);
  }

  without(ids: readonly string[]): KeyRing {
    const kept = Object.entries(this.reveal().keys).filter(([id]) => !ids.includes(id));
    return new KeyRing(Object.fromEntries(kept), this.activeId);
  }

  reveal(): RevealedKeys {
    const keys = [...this.#keys].map(([id, key]) => [id, key.toString('base64')] as const);
    return { active: this.activeId, keys: Object.fromEntries(keys) };
  }
}

/** Where the master keys come from. A managed file is the vault's own to write. */
export type KeySource =
  | { kind: 'environment'; ring: KeyRing }
  | { kind: 'file' | 'managed_file'; path: string };
