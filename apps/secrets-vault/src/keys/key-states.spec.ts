import { describe, expect, test } from '@jest/globals';
import { KeyRing } from '../key-ring.js';
import { isRotating, keyStates, nextKeyId } from './key-states.js';

const key = Buffer.alloc(32).toString('base64');
const ring = new KeyRing({ a: key, b: key, c: key }, 'b');

test('a key is active, serving, retired, or missing where secrets need it', () => {
  const counts = new Map([
    ['b', 3],
    ['gone', 1],
  ]);
  expect(keyStates(ring, { counts, retiredIds: ['c', 'long-ago'] })).toEqual([
    { id: 'a', state: 'serving', secrets: 0 },
    { id: 'b', state: 'active', secrets: 3 },
    { id: 'c', state: 'retired', secrets: 0 },
    { id: 'gone', state: 'missing', secrets: 1 },
  ]);
});

describe('a rotation is under way', () => {
  const states = (secrets: number) => keyStates(ring, { counts: new Map([['a', secrets]]), retiredIds: [] });

  test('a rotation is active as long as secrets are under another key than the active one', () => {
    expect([isRotating(states(2), 'environment'), isRotating(states(0), 'environment')]).toEqual([
      true,
      false,
    ]);
  });

  test('a rotation of a key file is active until the other keys are gone from it', () => {
    expect(isRotating(states(0), 'managed_file')).toBe(true);
  });
});

test.each([
  [['k1'], 'k2'],
  [['k2', 'k10', 'k9'], 'k11'],
  [['mine'], 'k1'],
])('the key after %j is %s', (ids, next) => {
  expect(nextKeyId(ids)).toBe(next);
});
