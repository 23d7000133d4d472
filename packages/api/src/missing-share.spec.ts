import { expect, test } from '@jest/globals';
import { missingShareInWords } from './missing-share.js';

test('an agent with too many missing attempts is marked in words, with both figures', () => {
  expect(missingShareInWords({ missing_share: 0.7832, max_missing_share: 0.05 })).toBe(
    '78.3 % of its attempts are missing, 5 % may be: it cannot pass, and ranks below agents with enough attempts',
  );
  expect(missingShareInWords({ missing_share: 1 - 19 / 20, max_missing_share: 0.05 })).toBeUndefined();
  expect(missingShareInWords({ missing_share: 0.5 })).toBeUndefined();
});
