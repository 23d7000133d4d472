import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contains, parseAddress, parseBlock } from './block.js';

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
  ])('is not read from %j', (text) => expect(parseAddress(text)).toBeUndefined());

  test('that is IPv4-mapped is its IPv4 address', () => {
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
  ])('is not read from %j', (text) => expect(parseBlock(text)).toBeUndefined());

  test('has its host bits masked', () => {
    expect(parseBlock('10.1.2.3/12')).toEqual({ family: 4, bytes: [10, 0, 0, 0], bits: 12 });
  });

  test('that is IPv4-mapped is an IPv4 block, one that reaches further is not', () => {
    expect(parseBlock('::ffff:10.0.0.0/104')).toEqual({ family: 4, bytes: [10, 0, 0, 0], bits: 8 });
    expect(parseBlock('::ffff:0:0/95')?.family).toBe(6);
  });

  test('contains exactly the addresses that agree with it in its first bits', () => {
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
