import { expect, test } from '@jest/globals';
import { attemptAddress, attemptName, caseAddress } from './full-attempt.js';

test('addresses of attempts and cases hold any key, and the requested view', () => {
  expect(attemptAddress('x')).toBe('/attempts/x');
  expect(attemptAddress('x', { tab: 'events', event: '9' })).toBe('/attempts/x?tab=events&event=9');
  expect(caseAddress('r', 'a b/c', { agent: 'l' })).toBe('/runs/r/cases/a%20b%2Fc?agent=l');
});

test('a repetition is part of the name of an attempt from the second one', () => {
  expect([1, 2].map((repetition) => attemptName({ agent_name: 'alpha', repetition }))).toEqual([
    'alpha',
    'alpha #2',
  ]);
});
