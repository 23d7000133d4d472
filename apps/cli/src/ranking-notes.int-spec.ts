import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Run, routes } from '@agentclash/api';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders } from './testing/command.js';
import { run, runAgent } from './testing/factories.js';
import { FakeApi } from './testing/fake-api.js';

const ERROR = {
  ...{ validator: 'queue', type: 'json_path_match', reason: 'invalid_expected', value: 'billing' },
  ...{ expected_from: 'case.expectations.queue', case_key: 'small', attempts: 3 },
  message:
    'validator queue (json_path_match) cannot read case.expectations.queue = "billing": expected a path',
};
const LINE = `pack error: 3 of 4 attempts could not be graded: ${ERROR.message} (case small)`;
const SHORTFALL =
  'solver: 75 % of its attempts have no usable score, 5 % may be without: pack errors count among them';

const lane = runAgent('solver', 4);
const broken: Run = run({
  status: 'completed',
  progress: { ...run().progress, total: 4, finished: 4, scored: 4 },
  pack_errors: [ERROR],
});
const ranking = {
  ...{ run_id: broken.id, state: 'ready' as const, revision: 2 },
  items: [
    {
      ...{ run_agent_id: lane.id, name: 'solver', rank: 1, reason: 'only_agent', overall: 1, passed: null },
      ...{ validity: 'degraded', verdict_reason: 'missing_share', missing_share: 0.75 },
      max_missing_share: 0.05,
    },
  ],
};
const rescore = {
  ...{ id: broken.id, run_id: broken.id, evaluation_spec_id: broken.evaluation_spec_id },
  ...{ state: 'ready' as const, scored: 4, attempts: 4, created_by: 'ada' },
  created_at: '2026-03-01T12:00:00.000Z',
};

let api: FakeApi;
let env: Record<string, string>;

beforeAll(async () => {
  api = await FakeApi.start();
  env = { AGENTCLASH_API_URL: api.url, AGENTCLASH_TOKEN: 'ac_test' };
  const none = { items: [], next_cursor: null };
  api.on(routes.runs.get, () => broken);
  api.on(routes.runs.findIds, () => ({ runs: [broken.id], attempts: [] }));
  api.on(routes.runs.agents, () => ({ items: [lane] }));
  api.on(routes.runs.attempts, () => none);
  api.on(routes.runs.ranking, () => ranking);
  api.on(routes.runs.rescore, () => rescore);
  api.on(routes.baselines.list, () => none);
});
afterAll(async () => {
  await api.stop();
  removeFolders();
});

test.each([
  ['run', 'ranking'],
  ['run', 'rescore'],
  ['eval', 'scorecard'],
])('%s %s names the pack errors beside its ranking, for people and for programs', async (noun, verb) => {
  const shown = await command([noun, verb, broken.id], { env });
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toContain(LINE);
  expect(shown.stdout).toContain(SHORTFALL);
  const printed = JSON.parse((await command([noun, verb, broken.id, '--json'], { env })).stdout);
  expect((printed.ranking ?? printed).pack_errors).toEqual([ERROR]);
});

test('the summary of a run for CI names its pack errors', async () => {
  const folder = emptyFolder();
  const args = ['eval', 'scorecard', broken.id, '--markdown', path.join(folder, 'run.md')];
  expect(await command(args, { env })).toMatchObject({ code: 0 });
  const summary = readFileSync(path.join(folder, 'run.md'), 'utf8');
  expect(summary).toContain('**Pack error:** 3 of 4 attempts could not be graded: validator queue');
});
