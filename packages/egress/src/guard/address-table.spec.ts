import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  contains,
  METADATA_ADDRESSES,
  NEVER_OPENED_BLOCKS,
  parseAddress,
  parseBlock,
} from './address-table.js';
import { DEFAULT_EGRESS_SETTINGS } from './policy.js';
import { checkUrl } from './url-check.js';

describe('an address', () => {
  test.each([
    '127.1',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    'fe80::1%eth0',
    '1.2.3.4 ',
    '::ffff:1.2.3',
    '',
  ])('an address is not read from %j', (text) => expect(parseAddress(text)).toBeUndefined());

  test('an IPv4-mapped address is its IPv4 address', () => {
    expect(parseAddress('::ffff:10.0.0.8')).toEqual({ family: 4, bytes: [10, 0, 0, 8] });
  });
});

describe('a block', () => {
  test.each([
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10/8',
    '010.0.0.0/8',
    '::/129',
    'fe80::%1/10',
    'a/8',
    '1.2.3.4/8/8',
  ])('a block of addresses is not read from %j', (text) => expect(parseBlock(text)).toBeUndefined());

  test('a block of addresses has its host bits masked', () => {
    expect(parseBlock('10.1.2.3/12')).toEqual({ family: 4, bytes: [10, 0, 0, 0], bits: 12 });
  });

  test('an IPv4-mapped block is an IPv4 block, and a wider one is not', () => {
    expect(parseBlock('::ffff:10.0.0.0/104')).toEqual({ family: 4, bytes: [10, 0, 0, 0], bits: 8 });
    expect(parseBlock('::ffff:0:0/95')?.family).toBe(6);
  });

  test('a block contains exactly the addresses that agree with it in its first bits', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 32 - 1), fc.nat(2 ** 32 - 1), fc.nat(32), (base, address, bits) => {
        const block = parseBlock(`${dotted(base)}/${bits}`);
        const read = parseAddress(dotted(address));
        if (block === undefined || read === undefined) throw new Error('unread');
        const mask = BigInt.asUintN(32, (2n ** 32n - 1n) << BigInt(32 - bits));
        expect(contains(block, read)).toBe((BigInt(base) & mask) === (BigInt(address) & mask));
      }),
    );
  });
});

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.');
}

const guide = readFileSync(path.join(import.meta.dirname, '../../../../docs/security.md'), 'utf8');
const section = guide.split('### What no allowlist opens')[1]?.split('\n### ')[0] ?? '';
const rows = [...section.matchAll(/^\| (?!What|---)(.*?) \| (.*) \|$/gm)].map(([, , cell = '']) => cell);
const listed = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));

describe('the ranges that no allowlist opens', () => {
  test('docs/security.md lists all ranges that no allowlist opens', () => {
    const documented = listed.filter((text) => text !== '2000::/3');
    expect(documented.toSorted()).toEqual([...METADATA_ADDRESSES, ...NEVER_OPENED_BLOCKS].toSorted());
  });

  test.each([...METADATA_ADDRESSES, ...NEVER_OPENED_BLOCKS].filter((text) => text !== '::/0'))(
    'the range %s is closed also where an allowlist has it',
    async (text) => {
      const address = text.replace(/\/\d+$/, '');
      const host = address.includes(':') ? `[${address}]` : address;
      const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
      const cidrs = [cidr, '0.0.0.0/0', '::/0'];
      const settings = { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: cidrs };
      for (const policy of [{ kind: 'pack', allowlist: cidrs } as const, { kind: 'operator' } as const]) {
        expect(await checkUrl(`http://${host}/`, { policy, settings })).toMatchObject({ allowed: false });
      }
    },
  );
});
