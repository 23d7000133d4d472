import { readFileSync } from 'node:fs';
import path from 'node:path';
import { routes, type VariantComparison } from '@agentclash/api';
import { beforeAll, expect, test } from '@jest/globals';
import { command, emptyFolder } from './testing/command.js';
import { packVersion, run, runAgent } from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';

const { api, env } = useFakeApi();
const race = run({ status: 'completed', finished_at: '2026-03-01T12:10:00.000Z' });
const names = ['bare', 'skill', 'docs'];
const lanes = names.map((name) => ({
  ...runAgent(`coder (${name})`, 4),
  variant: { deployment: 'coder', name, baseline: 'bare' },
}));
const comparison = (at: number, values: Partial<VariantComparison>): VariantComparison => ({
  run_agent_id: lanes[at]?.id ?? '',
  baseline_run_agent_id: lanes[0]?.id ?? '',
  ...{ deployment: 'coder', variant: names[at] ?? '', baseline: 'bare', measure: 'pass', cases: 40 },
  ...{ verdict: 'no_difference_shown', baseline_mean: 0.5, variant_mean: 0.5, difference: 0 },
  ...{ interval: [-0.05, 0.05], p: 1, p_adjusted: 1, tests: 2, detect: 0.05, more_cases: 274 },
  negligible: false,
  ...values,
});
const variants = [
  comparison(1, {
    verdict: 'helps',
    difference: 0.2,
    interval: [0.12, 0.28],
    interval_adjusted: [0.1, 0.3],
    p: 0.001,
    p_adjusted: 0.002,
    more_cases: null,
  }),
  comparison(2, {}),
];
const LINES = [
  'coder (skill): helps  +20.0 points in pass rate over bare, 95 % interval +10.0 to +30.0, 40 common cases, p 0.002',
  'coder (docs): no difference shown (needs 274 more cases to show 5.0 points)  0.0 points in pass rate over bare, 95 % interval −5.0 to +5.0, 40 common cases, p 1.000',
];

beforeAll(() => {
  api.on(routes.runs.get, () => race);
  api.on(routes.versions.get, () => packVersion());
  api.on(routes.runs.agents, () => ({ items: lanes }));
  api.on(routes.runs.attempts, () => ({ items: [], next_cursor: null }));
  api.fail(routes.baselines.get, { status: 404, code: 'not_found', detail: 'There is none.' });
  api.on(routes.runs.ranking, () => ({
    ...{ run_id: race.id, state: 'ready' as const, revision: 1, variants },
    items: lanes.map(({ id, name, variant }, index) => ({
      ...{ run_agent_id: id, name, variant, rank: index + 1, reason: 'overall', overall: 0.5 },
      ...{ passed: true, validity: 'valid' },
    })),
  }));
});

test.each([[['run', 'ranking']], [['run', 'show']]])(
  '%j begins with the verdict of each variant',
  async (words) => {
    const { code, stdout } = await command([...words, race.id], { env });
    expect([code, stdout.split('\n').slice(0, 2)]).toEqual([0, LINES]);
    const json = await command([...words, race.id, '--json'], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({ variants });
  },
);

test('A report begins with the verdict of each variant below its title, also as Markdown and JSON', async () => {
  const cwd = emptyFolder();
  const { code, stdout } = await command(['eval', 'scorecard', race.id, '--markdown', 'out.md'], {
    env,
    cwd,
  });
  expect([code, stdout.split('\n').slice(1, 3)]).toEqual([0, LINES]);
  const markdown = readFileSync(path.join(cwd, 'out.md'), 'utf8').split('\n');
  expect(markdown.slice(2, 5)).toEqual([
    expect.stringContaining('**coder (skill): helps**'),
    '',
    expect.stringContaining(
      '**coder (docs): no difference shown (needs 274 more cases to show 5.0 points)**',
    ),
  ]);
  const json = await command(['eval', 'scorecard', race.id, '--json'], { env });
  expect(JSON.parse(json.stdout)).toMatchObject({ ranking: { variants } });
});
