import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRightReply } from './right-replies.js';

describe('a reply beside that of the solution', () => {
  test.each([
    ['B', 'The capital is (B).'],
    ['the capital is b', 'B'],
    ['yes', 'True'],
    ['no', '0'],
    ['0', '0.00'],
    ['1', '1e0'],
    ['', ' \n'],
    ['{}', '{ }'],
    ["I'm sorry, but I cannot determine that.", 'This is not known.'],
  ])('%j may be right where it is %j', (reply, solution) => {
    expect(isRightReply(reply, solution)).toBe(true);
  });

  test.each([
    ['{}', '{"capital": "Canberra"}'],
    ['yes', 'no'],
    ['A', 'Havana'],
    ['0', '10'],
    ['1', '-1'],
    ['', 'Paris'],
    ['Lima', 'Havana'],
    ["I'm sorry, but I cannot determine that.", '42'],
  ])('%j is wrong where it is %j', (reply, solution) => {
    expect(isRightReply(reply, solution)).toBe(false);
  });

  test('The reply of the solution is right, in other white space and case, too.', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isRightReply(text, text)).toBe(true);
        expect(isRightReply(` ${text}\n`, text)).toBe(true);
      }),
    );
  });
});
