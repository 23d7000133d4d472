const KEY_BYTES = 32;

/** The master keys by id; new secrets are wrapped with the active one. A key cannot be printed. */
export class KeyRing {
  readonly activeId: string;
  readonly #keys = new Map<string, Buffer>();

  constructor(keys: Record<string, string>, activeId: string) {
    for (const [id, text] of Object.entries(keys)) {
      const key = Buffer.from(text, 'base64');
      if (key.length !== KEY_BYTES)
        throw new Error(`the master key "${id}" is not base64 of ${KEY_BYTES} bytes`);
      this.#keys.set(id, key);
    }
    if (!this.#keys.has(activeId))
      throw new Error(`VAULT_ACTIVE_KEY names "${activeId}", which is not among the keys`);
    this.activeId = activeId;
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
}
