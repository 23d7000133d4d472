import { BlockList, isIPv6 } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { unreachableHost } from './allowlist.js';

const ANY = '0.0.0.0/32';
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const hostOf = (text: string) => new URL(`http://${isIPv6(text) ? `[${text}]` : text}/`).hostname;

const cidr = fc.oneof(fc.tuple(fc.ipV4(), fc.nat({ max: 32 })), fc.tuple(fc.ipV6(), fc.nat({ max: 128 })));

describe('an allowlist of addresses', () => {
  test('an address is inside of exactly the CIDRs that have its leading bits', () => {
    fc.assert(
      fc.property(address, cidr, fc.boolean(), (text, [base, bits], isOwn) => {
        // Half of the blocks are around the address itself.
        const isSame = isOwn && isIPv6(base) === isIPv6(text);
        const block = isSame ? text : base;
        const known = new BlockList();
        known.addSubnet(block, bits, isIPv6(block) ? 'ipv6' : 'ipv4');
        const isInside = isIPv6(text) === isIPv6(block) && known.check(text, isIPv6(text) ? 'ipv6' : 'ipv4');
        fc.pre(!isMapped(text) && !isMapped(block));
        expect(unreachableHost(hostOf(text), [`${block}/${bits}`]) === undefined).toBe(isInside);
      }),
    );
  });

  test('an address written as an IPv4-mapped one is its IPv4 address', () => {
    const host = hostOf('::ffff:10.1.2.3');
    expect(unreachableHost(host, ['10.0.0.0/8'])).toBeUndefined();
    expect(unreachableHost(host, ['::ffff:10.0.0.0/104'])).toBeUndefined();
    expect(unreachableHost(host, ['11.0.0.0/8'])).toBe(
      `${host} lies in no CIDR of sandbox.network_allowlist`,
    );
  });

  test.each(['a.example.com', 'localhost', 'abc'])('the name %s is decided by its addresses', (host) => {
    expect(unreachableHost(host, [])).toBeUndefined();
    expect(unreachableHost(host, [ANY])).toBeUndefined();
  });
});

/** True when an address of IPv6 holds one of IPv4. */
function isMapped(text: string): boolean {
  return isIPv6(text) && /^\[::(?:ffff:)?[0-9a-f]{1,4}:[0-9a-f]{1,4}\]$/.test(hostOf(text));
}
