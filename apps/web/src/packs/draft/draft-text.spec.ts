import { describe, expect, test } from '@jest/globals';
import { DraftText } from './draft-text.js';

class Memory {
  readonly texts = new Map<string, string>();
  isFull = false;
  getItem(key: string) {
    return this.texts.get(key) ?? null;
  }
  setItem(key: string, text: string) {
    if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
    this.texts.set(key, text);
  }
  removeItem(key: string) {
    this.texts.delete(key);
  }
}

describe('a text that is kept', () => {
  test('a stored draft is loaded again for its workspace, and for no other', () => {
    const store = new Memory();
    new DraftText(store, 'a').keep('name: x');
    expect(new DraftText(store, 'a').find()).toBe('name: x');
    expect(new DraftText(store, 'b').find()).toBe('');
  });

  test('an emptied draft is deleted', () => {
    const store = new Memory();
    const kept = new DraftText(store, 'a');
    kept.keep('x');
    kept.keep('');
    expect(store.texts.size).toBe(0);
  });

  test('a draft that is too long, or does not fit the storage, removes the older one', () => {
    const store = new Memory();
    const kept = new DraftText(store, 'a');
    kept.keep('x');
    kept.keep('x'.repeat(500_001));
    expect(kept.find()).toBe('');
    kept.keep('y');
    store.isFull = true;
    kept.keep('z');
    expect(kept.find()).toBe('');
  });
});
