import { describe, expect, test } from '@jest/globals';
import { isScreenAddress, routableAddress } from './screen-address.js';

describe('the address of a request', () => {
  test.each([
    ['/packs/a', true],
    ['/', true],
    ['/v1x', true],
    ['/v1/runs', false],
    ['/v1?x=1', false],
    ['/assets', false],
  ])('the address %s may be a screen: %s', (address, expected) => {
    expect(isScreenAddress(address)).toBe(expected);
  });

  test.each([
    ['/packs/%ff', '/packs/%25ff'],
    ['/runs/%zz?q=%20', '/runs/%25zz?q=%2520'],
    ['/packs/a%2Fb%20c', '/packs/a%2Fb%20c'],
    ['/v1/%ff', '/v1/%ff'],
    ['/assets/%ff.js', '/assets/%ff.js'],
  ])('the address %s is routed as %s', (address, expected) => {
    expect(routableAddress(address)).toBe(expected);
    expect(routableAddress(expected)).toBe(expected);
  });
});
