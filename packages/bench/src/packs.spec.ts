import { readPack } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import { packOfBytes } from './packs.js';

test.each([10_000, 100_000])('a pack of %i bytes is nearly that big and has no problems', (bytes) => {
  const text = packOfBytes(bytes);
  expect(Buffer.byteLength(text)).toBeGreaterThan(bytes - 300);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
  expect(readPack(text).problems).toEqual([]);
});
