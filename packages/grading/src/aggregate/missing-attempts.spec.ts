import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MISSING_CASES_MAX, missingAttempts } from './missing-attempts.js';

describe('attempts without a usable scorecard', () => {
  test('missing attempts are named by case and reason, most frequent first, and those never scored by number', () => {
    const missing = [
      { case_key: 'b', reason: 'provider_timeout' },
      { case_key: 'a', reason: 'pack_error' },
      { case_key: 'b', reason: 'provider_timeout' },
    ];
    expect(missingAttempts(missing, { planned: 10, usable: 6 })).toEqual({
      attempts: 4,
      reasons: [
        { reason: 'provider_timeout', attempts: 2 },
        { reason: 'not_scored', attempts: 1 },
        { reason: 'pack_error', attempts: 1 },
      ],
      cases: [
        { case_key: 'b', reason: 'provider_timeout', attempts: 2 },
        { case_key: 'a', reason: 'pack_error', attempts: 1 },
      ],
    });
    expect(missingAttempts([], { planned: 6, usable: 6 })).toBeUndefined();
  });

  test('missing attempts are counted in full, and in any order, however many cases there are', () => {
    const attempt = fc.record({
      case_key: fc.string({ maxLength: 3 }),
      reason: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 1, maxLength: 200 }), fc.nat(9), (missing, usable) => {
        const counts = { planned: missing.length + usable, usable };
        const found = missingAttempts(missing, counts);
        expect(found).toEqual(missingAttempts(missing.toReversed(), counts));
        expect(found?.attempts).toBe(missing.length);
        expect(found?.reasons.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(missing.length);
        expect(found?.cases.length).toBeLessThanOrEqual(MISSING_CASES_MAX);
      }),
    );
  });
});
