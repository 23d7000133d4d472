import { expect, test } from '@jest/globals';
import {
  caseShareLine,
  caseSubsetLine,
  missingAttemptsLines,
  missingShareInWords,
  packErrorLines,
  servedRepliesLine,
} from './run-notes.js';

test('a run of some cases states how many, and the limits of its scores', () => {
  expect(caseSubsetLine({})).toBeUndefined();
  expect(caseSubsetLine({ case_subset: { case_keys: ['a', 'b'], of: 50, failed_in_run_id: null } })).toBe(
    '2 of the 50 cases of the input set: do not compare these scores with runs of other cases',
  );
  expect(caseShareLine({ cases: 3, of: 50, failed_in_run_id: 'R' })).toContain(
    '3 of the 50 cases of the input set, those that run R did not pass',
  );
});

test('a run that was served replies of models states where they are from', () => {
  expect(servedRepliesLine({})).toBeUndefined();
  expect(servedRepliesLine({ model_calls: 'record' })).toBeUndefined();
  expect(servedRepliesLine({ model_calls: 'replay', replay_from: 'R' })).toBe(
    'replies of models are those recorded in run R: these scores are no new evidence about the models',
  );
  expect(servedRepliesLine({ model_calls: 'cache' })).toContain('may be those cached from earlier runs');
});

test('each side of a comparison lists how many attempts have no usable scorecard, why, and of which cases', () => {
  const candidate = {
    ...{ planned: 40, attempts: 7 },
    reasons: [
      { reason: 'provider_timeout', attempts: 5 },
      { reason: 'not_scored', attempts: 2 },
    ],
    cases: ['a', 'b', 'c', 'd'].map((case_key) => ({ case_key, reason: 'provider_timeout', attempts: 1 })),
  };
  const baseline = { planned: 40, attempts: 1, reasons: [], cases: [] };
  expect(missingAttemptsLines({ missing: { candidate, baseline } })).toEqual([
    'baseline: 1 of 40 attempts have no usable scorecard',
    'candidate: 7 of 40 attempts have no usable scorecard: 5 provider timeout (cases a, b, c and others), 2 not scored',
  ]);
  expect(missingAttemptsLines({})).toEqual([]);
});

test('an agent with too many missing attempts is marked in words, with both figures', () => {
  expect(missingShareInWords({ missing_share: 0.7832, max_missing_share: 0.05 })).toBe(
    '78.3 % of its attempts are missing, 5 % may be: it cannot pass, and ranks below agents with enough attempts',
  );
  expect(missingShareInWords({ missing_share: 1 - 19 / 20, max_missing_share: 0.05 })).toBeUndefined();
  expect(missingShareInWords({ missing_share: 0.5 })).toBeUndefined();
});

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
