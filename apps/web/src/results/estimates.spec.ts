import type { RankingEntry } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { rankedLane } from './estimates.js';

const entry: RankingEntry = {
  ...{ run_agent_id: '019a0000-0000-7000-8000-000000000003', name: 'solver', rank: 1, reason: 'only_agent' },
  ...{ overall: 1, passed: null, validity: 'degraded', missing_share: 0.75, max_missing_share: 0.05 },
};
const error = {
  ...{ validator: 'queue', type: 'json_path_match', reason: 'invalid_expected', value: 'billing' },
  ...{ expected_from: null, case_key: 'small', attempts: 3, message: 'cannot read it' },
};

test('a lane of a run with pack errors is not called missing, and cannot pass until they are fixed', () => {
  expect(rankedLane(entry, { pack_errors: [error] }).missing).toBe(
    '75 % of its attempts have no usable score, 5 % may be without: pack errors count among them; it cannot pass until they are fixed',
  );
  expect(rankedLane(entry, {}).missing).toContain('75 % of its attempts are missing');
});
