import { LRUCache } from 'lru-cache';

/**
 * Values that never change, by key; the least recently used is dropped first. Concurrent requests of a value share one
 * read; a read that failed is not kept.
 */
export class ValueCache<T> {
  private readonly values: LRUCache<string, Promise<T>>;

  constructor(countMax: number) {
    this.values = new LRUCache({ max: countMax });
  }

  async get(key: string, read: () => Promise<T>): Promise<T> {
    const value = this.values.get(key) ?? this.start(key, read);
    try {
      return await value;
    } catch (error) {
      if (this.values.peek(key) === value) this.values.delete(key);
      throw error;
    }
  }

  private start(key: string, read: () => Promise<T>): Promise<T> {
    const value = read();
    this.values.set(key, value);
    return value;
  }
}
