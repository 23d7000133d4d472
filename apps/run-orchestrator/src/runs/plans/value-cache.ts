/**
 * Values that never change, kept while they are in use: the one unused for longest goes first. Requests while a
 * value is being read waits for that reading; a reading that failed is not kept.
 */
export class ValueCache<T> {
  private readonly values = new Map<string, Promise<T>>();

  constructor(private readonly countMax: number) {}

  async get(key: string, read: () => Promise<T>): Promise<T> {
    const value = this.values.get(key) ?? read();
    // Set again, so that the first key is the one unused for longest.
    this.values.delete(key);
    this.values.set(key, value);
    const oldest = this.values.size > this.countMax ? this.values.keys().next().value : undefined;
    if (oldest !== undefined) this.values.delete(oldest);
    try {
      return await value;
    } catch (error) {
      if (this.values.get(key) === value) this.values.delete(key);
      throw error;
    }
  }
}
