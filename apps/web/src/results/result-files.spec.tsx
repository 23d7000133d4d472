import { type Failure, routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { agentOf, id, page, RUN, runOf, versionOf } from '../testing/fixtures.js';
import { openApp, server } from '../testing/open-app.js';
import { savedBy } from '../testing/saved-files.js';

const NAMES = ['atlas-good', 'beta'];

beforeEach(() => {
  const lanes = NAMES.map((name, at) =>
    agentOf(300 + at, name, {
      tally: { judged: 10, graded: 10, tokens: 1_149, cost_usd: 0.01234 },
      latency: { p50_ms: 37.4, p95_ms: 9_001, attempts: 10 },
    }),
  );
  server.on(routes.runs.get, runOf());
  server.on(routes.versions.get, versionOf(40, 'sums'));
  server.on(routes.runs.agents, { items: lanes, position: 0 });
  server.on(routes.runs.ranking, {
    ...{ run_id: RUN, state: 'ready', revision: 1 },
    items: lanes.map(({ id: run_agent_id, name }, at) => ({
      ...{ run_agent_id, name, rank: at + 1, reason: 'overall', overall: 0.71428, passed: at === 0 },
      ...{ overall_estimate: { mean: 0.71428, interval: [0.5, 0.9123] }, pass_rate: { mean: 0.5 } },
      ...{ validity: 'valid', planned_attempts: 10, usable_attempts: 9, flake_rate: 0.125 },
    })),
  });
  server.on(routes.runAgents.scorecard, ({ params }) => ({
    ...{ revision: 1, evaluation_spec_id: null, spec_hash: null, evidence_hash: null, scored_at: null },
    ...{ failure: null, state: 'ready' as const, run_agent_id: params.run_agent_id ?? '' },
    scorecard: { cases: [{ case_key: 'peru', overall: 0.33333, trials: 3, successes: 1 }] },
  }));
});

test('the file of a ranking has the rank beside the name, ids, and exact numbers with their units', async () => {
  const user = openApp(`/runs/${RUN}/ranking`);
  const { text } = await savedBy(user, 'Download Ranking as JSON');
  const [first] = JSON.parse(text) as unknown[];
  expect(first).toEqual({
    ...{ rank: 1, agent: 'atlas-good', run_agent_id: id(300) },
    ...{ overall: 0.71428, overall_low: 0.5, overall_high: 0.9123 },
    ...{ pass_rate: 0.5, pass_rate_low: null, pass_rate_high: null },
    ...{ passed: true, validity: 'valid', reason: null, usable_attempts: 9, planned_attempts: 10 },
    ...{ tokens: 1_149, cost_usd: 0.01234, cost_at_least_usd: null },
    ...{ p50_ms: 37.4, p95_ms: 9_001, flake_rate: 0.125 },
  });
});

test('the file of the matrix has a row for each case and agent', async () => {
  const user = openApp(`/runs/${RUN}/matrix`);
  const { name, text } = await savedBy(user, 'Download Matrix as CSV');
  expect(name).toBe('matrix.csv');
  expect(text).toBe(
    'case_key,agent,run_agent_id,score,passed,attempts\r\n' +
      NAMES.map((agent, at) => `peru,${agent},${id(300 + at)},0.33333,1,3\r\n`).join(''),
  );
});

test('the file of failures has those of all pages that the filters let through', async () => {
  const failure: Failure = {
    ...{ cluster_key: 'frc_1', run_agent_id: id(300), agent_name: 'atlas-good', case_key: 'peru' },
    ...{ class: 'wrong_output', code: 'output.wrong', severity: 'error', agent_fault: true },
    ...{ failing_keys: ['sum', 'form'], attempts: 3, attempt_id: id(400), runs: 1 },
  };
  server.on(routes.runs.failures, ({ query: { cursor } }) =>
    cursor === undefined ? page([failure], 'next') : page([{ ...failure, case_key: 'malta' }, failure]),
  );
  server.on(routes.attempts.scorecard, {
    ...{ attempt_id: id(400), state: 'pending', revision: null, evaluation_spec_id: null, spec_hash: null },
    ...{ evidence_hash: null, scored_at: null, scorecard: null, failure: null },
  });
  const user = openApp(`/runs/${RUN}/failures?q=malta`);
  const { text } = await savedBy(user, 'Download Failures as JSON');
  expect(JSON.parse(text)).toEqual([{ ...failure, case_key: 'malta', failing_keys: 'sum; form' }]);
});
