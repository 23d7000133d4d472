import { expect, test } from '@jest/globals';
import { caseShareLine, caseSubsetLine } from './case-subset.js';

test('a run of some cases states how many, and the limits of its scores', () => {
  expect(caseSubsetLine({})).toBeUndefined();
  expect(caseSubsetLine({ case_subset: { case_keys: ['a', 'b'], of: 50, failed_in_run_id: null } })).toBe(
    '2 of the 50 cases of the input set: do not compare these scores with runs of other cases',
  );
  expect(caseShareLine({ cases: 3, of: 50, failed_in_run_id: 'R' })).toContain(
    '3 of the 50 cases of the input set, those that run R did not pass',
  );
});
