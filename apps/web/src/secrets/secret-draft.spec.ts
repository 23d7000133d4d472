import { describe, expect, test } from '@jest/globals';
import { hostsOf, hostsText, replacedBy } from './secret-draft.js';

const BOUND = { key: 'BOUND', hosts: ['api.example.com', '*.example.org'] };
const KNOWN = [BOUND, { key: 'FREE', hosts: [] }];

describe('a secret that is set', () => {
  test('again keeps the hosts it is bound to', () => {
    expect(hostsOf({ key: 'BOUND', hosts: null }, KNOWN)).toEqual(BOUND.hosts);
    expect(hostsText({ key: 'BOUND', hosts: null }, KNOWN)).toBe('api.example.com, *.example.org');
  });

  test('again goes where somebody says, also if that is anywhere', () => {
    expect(hostsOf({ key: 'BOUND', hosts: 'other.example.com' }, KNOWN)).toEqual(['other.example.com']);
    expect(hostsOf({ key: 'BOUND', hosts: '' }, KNOWN)).toEqual([]);
  });

  test('for the first time has the hosts that were typed', () => {
    expect(hostsOf({ key: 'NEW', hosts: null }, KNOWN)).toEqual([]);
    expect(hostsOf({ key: 'NEW', hosts: ' a.test,b.test\n c.test ' }, KNOWN)).toEqual([
      'a.test',
      'b.test',
      'c.test',
    ]);
  });

  test('replaces the one with the very same key', () => {
    expect(replacedBy({ key: 'BOUND', hosts: null }, KNOWN)).toBe(BOUND);
    expect(replacedBy({ key: 'bound', hosts: null }, KNOWN)).toBeUndefined();
  });
});
