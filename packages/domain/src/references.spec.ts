import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { payloadReference, referencedSha256 } from './references.js';

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });

test('The reference of a payload names the sha256 that its reader finds', () => {
  fc.assert(
    fc.property(hex, fc.nat(), (sha256, bytes) => {
      expect(referencedSha256(payloadReference(sha256, bytes, 'tool.call.completed'))).toBe(sha256);
    }),
  );
});

test('A payload that only resembles a reference is inline', () => {
  const sha256 = 'a'.repeat(64);
  for (const $ref of [
    undefined,
    1,
    sha256,
    `sha256:${sha256}0`,
    `sha256:${sha256.toUpperCase()}`,
    'sha256:',
  ]) {
    expect(referencedSha256({ $ref })).toBeUndefined();
  }
});
