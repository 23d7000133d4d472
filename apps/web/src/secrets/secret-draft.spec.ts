import { describe, expect, test } from '@jest/globals';
import { bindingOf, hostsText, type KnownSecret, reachOf, replacedBy } from './secret-draft.js';

const BOUND = {
  key: 'BOUND',
  hosts: ['api.example.com', 'http://127.0.0.1:8080'],
  binding: 'origin' as const,
};
const KNOWN: readonly KnownSecret[] = [
  BOUND,
  { key: 'ANY', hosts: [], binding: 'any' },
  { key: 'OLD', hosts: [], binding: 'unbound' },
];
const draft = (key: string, hosts: string | null = null, isAny: boolean | null = null) => ({
  key,
  hosts,
  isAny,
});

describe('a secret that is set', () => {
  test('a secret that is set again keeps its binding', () => {
    expect(bindingOf(draft('BOUND'), KNOWN)).toEqual({ hosts: BOUND.hosts });
    expect(hostsText(draft('BOUND'), KNOWN)).toBe('api.example.com, http://127.0.0.1:8080');
    expect(bindingOf(draft('ANY'), KNOWN)).toEqual({ any: true });
  });

  test('a secret that is set again is bound to typed or chosen hosts', () => {
    expect(bindingOf(draft('BOUND', 'other.example.com'), KNOWN)).toEqual({ hosts: ['other.example.com'] });
    expect(bindingOf(draft('BOUND', null, true), KNOWN)).toEqual({ any: true });
    expect(bindingOf(draft('ANY', 'a.test', false), KNOWN)).toEqual({ hosts: ['a.test'] });
  });

  test('a new secret needs to be bound, or an explicit choice of none', () => {
    expect(bindingOf(draft('NEW'), KNOWN)).toBeUndefined();
    expect(bindingOf(draft('BOUND', ' , '), KNOWN)).toBeUndefined();
    expect(bindingOf(draft('OLD'), KNOWN)).toBeUndefined();
    expect(bindingOf(draft('NEW', null, true), KNOWN)).toEqual({ any: true });
    expect(bindingOf(draft('NEW', ' a.test,b.test\n c.test '), KNOWN)).toEqual({
      hosts: ['a.test', 'b.test', 'c.test'],
    });
  });

  test('a secret replaces the one with exactly the same key', () => {
    expect(replacedBy(draft('BOUND'), KNOWN)).toBe(BOUND);
    expect(replacedBy(draft('bound'), KNOWN)).toBeUndefined();
  });
});

describe('a stored secret', () => {
  test('an unbound secret, or one bound to hosts of any scheme and port, is shown with a warning', () => {
    expect(reachOf({ key: 'A', hosts: [], binding: 'unbound' })).toMatchObject({
      text: 'any host',
      warning: expect.stringContaining('unbound'),
    });
    expect(reachOf({ key: 'A', hosts: ['a.test'], binding: 'host' })).toMatchObject({
      text: 'a.test (any scheme and port)',
      warning: expect.stringContaining('Set it again'),
    });
    expect(reachOf({ key: 'A', hosts: ['a.test'], binding: 'origin' })).toEqual({ text: 'a.test' });
    expect(reachOf({ key: 'A', hosts: [], binding: 'any' })).toEqual({ text: 'any host' });
  });
});
