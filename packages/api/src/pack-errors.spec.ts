import { expect, test } from '@jest/globals';
import { packErrorLines } from './pack-errors.js';

const error = {
  ...{ validator: 'queue', type: 'json_path_match', reason: 'invalid_expected', value: 'billing' },
  ...{ expected_from: 'case.expectations.queue', case_key: 'k1', attempts: 10 },
  message:
    'validator queue (json_path_match) cannot read case.expectations.queue = "billing": expected a path',
};
const progress = { total: 24, queued: 0, running: 0, finished: 24, scored: 24, passed: 0, by_outcome: {} };

test('a pack error is one sentence with the number of attempts, and whether the run was stopped', () => {
  expect(packErrorLines({ progress })).toEqual([]);
  expect(packErrorLines({ progress, pack_errors: [error] })).toEqual([
    `10 of 24 attempts could not be graded: ${error.message} (case k1)`,
  ]);
  const failure = { code: 'pack_errors', message: '' };
  const given = { ...progress, by_outcome: { completed: 10, cancelled: 14 } };
  expect(packErrorLines({ progress: given, pack_errors: [error], failure })[0]).toContain(
    '10 of 24 attempts could not be graded, and the run was stopped: validator queue',
  );
});
