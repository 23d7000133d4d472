import { describe, expect, test } from '@jest/globals';
import { type KeyRingStatus, nextSteps } from './rotate-keys.js';

type Key = KeyRingStatus['keys'][number];

const status = (change: Partial<KeyRingStatus>): KeyRingStatus => ({
  active_key_id: 'k1',
  source: 'file',
  is_rotating: false,
  keys: [],
  problem: null,
  ...change,
});
const key = (id: string, state: Key['state'], secrets = 0): Key => ({ id, state, secrets });
const stepsText = (change: Partial<KeyRingStatus>) => nextSteps(status(change)).join('\n');

describe('the next steps of an operator who supplies the keys', () => {
  test('the next steps explain how to add a key before it is used', () => {
    const text = stepsText({ keys: [key('k1', 'active', 3)] });
    expect(text).toMatch(/Add it under a new id.*leave k1 active[\s\S]*make the new id the active one/);
  });

  test('the next step is to wait while secrets are wrapped again', () => {
    const keys = [key('k1', 'serving', 2), key('k2', 'active', 1)];
    expect(stepsText({ active_key_id: 'k2', is_rotating: true, keys })).toMatch(/wrapped by k2.*--status/);
  });

  test('the next step is to retire the old key before it is removed', () => {
    const keys = [key('k1', 'serving'), key('k2', 'active', 3)];
    expect(stepsText({ active_key_id: 'k2', keys })).toContain('--retire k1');
    const retired = [key('k1', 'retired'), key('k2', 'active', 3)];
    expect(stepsText({ active_key_id: 'k2', source: 'environment', keys: retired })).toMatch(
      /Take k1 out of VAULT_KEYS/,
    );
  });
});

test('a vault that manages its own keys has no next steps', () => {
  expect(stepsText({ source: 'managed_file', keys: [key('k1', 'active')] })).toBe('');
});
