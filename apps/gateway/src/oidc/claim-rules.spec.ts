import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { grantsOf } from './claim-rules.js';

const rule = (
  claims: Record<string, string | number | boolean>,
  role: 'viewer' | 'member' | 'admin' = 'member',
) => ({
  claims,
  workspace: 'default',
  role,
});
const roleOf = (claims: Record<string, string | boolean>, actual: object) =>
  grantsOf([rule(claims)], actual as Record<string, unknown>).get('default');

describe('the rules that turn claims into roles', () => {
  test.each<[string, Record<string, string | boolean>, object, boolean]>([
    ['the same text', { repository: 'acme/shop' }, { repository: 'acme/shop' }, true],
    ['text in another case', { repository: 'acme/shop' }, { repository: 'Acme/shop' }, false],
    ['a prefix', { ref: 'refs/heads/*' }, { ref: 'refs/heads/main' }, true],
    ['a prefix that only looks alike', { repository: 'acme/*' }, { repository: 'acme-evil/shop' }, false],
    ['both ends, overlapping', { sub: 'aba*ba' }, { sub: 'aba' }, false],
    ['several stars', { sub: 'repo:*:ref:*' }, { sub: 'repo:acme/shop:ref:refs/heads/main' }, true],
    ['an entry of a list', { groups: 'eval' }, { groups: ['dev', 'eval'] }, true],
    ['no entry of a list', { groups: 'eval' }, { groups: ['evaluators'] }, false],
    ['one of two claims', { a: '1', b: '2' }, { a: '1' }, false],
    ['a truth for the word', { email_verified: true }, { email_verified: 'true' }, false],
    ['an absent claim and a bare star', { tenant: '*' }, {}, false],
    ['an inherited member', { constructor: '*' }, {}, false],
  ])('a claim rule with %s grants its role as expected', (_what, claims, actual, isLetIn) => {
    expect(roleOf(claims, actual)).toBe(isLetIn ? 'member' : undefined);
  });

  test('claim rules give the highest of several roles, and none where none matches', () => {
    const rules = [rule({ a: '1' }, 'admin'), rule({ b: '2' }, 'viewer')];
    expect(grantsOf(rules, { a: '1', b: '2' }).get('default')).toBe('admin');
    expect(grantsOf(rules.toReversed(), { a: '1', b: '2' }).get('default')).toBe('admin');
    expect(grantsOf(rules, { a: '2' }).size).toBe(0);
  });

  test('a star in a claim rule matches any text, whatever else is in the pattern', () => {
    const part = fc.string({ maxLength: 6 }).map((text) => text.replaceAll('*', ''));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.array(part), (parts, fills) => {
        const value = parts
          .map((each, index) => (index === 0 ? each : `${fills[index] ?? ''}${each}`))
          .join('');
        fc.pre(value !== '' && parts.join('*') !== '');
        expect(roleOf({ sub: parts.join('*') }, { sub: value })).toBe('member');
      }),
    );
  });
});
