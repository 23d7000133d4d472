import { type Run, routes, type VariantComparison } from '@agentclash/api';
import { divergenceText } from '@agentclash/domain';
import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { heldBack } from '../../testing/fake-server.js';
import { agentOf, attemptOf, id, page, progressOf, RUN, runOf, versionOf } from '../../testing/fixtures.js';
import { openApp, server } from '../../testing/open-app.js';

const NAMES = ['bare', 'skill', 'docs', 'small'];

const comparison = (at: number, values: Partial<VariantComparison>): VariantComparison => ({
  ...{ run_agent_id: id(300 + at), baseline_run_agent_id: id(300), deployment: 'coder' },
  ...{ variant: NAMES[at] ?? '', baseline: 'bare', measure: 'pass', cases: 40, baseline_mean: 0.5 },
  ...{ variant_mean: 0.5, difference: 0, interval: [-0.05, 0.05], p: 1, p_adjusted: 1, tests: 3 },
  ...{ verdict: 'no_difference_shown', detect: 0.05, more_cases: 274, negligible: false },
  ...values,
});

const variantOf = (name: string) => ({ deployment: 'coder', name, baseline: 'bare' });

function openRanking(
  variants: VariantComparison[] | undefined,
  run: Partial<Run> = {},
  cost: { cost_usd: number | null; cost_at_least_usd?: number } = { cost_usd: 0.5 },
  agentsAwait: () => Promise<void> = async () => {},
): void {
  const lanes = NAMES.map((name, index) =>
    agentOf(300 + index, variants ? `coder (${name})` : name, {
      ...(variants && { variant: variantOf(name) }),
      tally: { judged: 40, graded: 40, tokens: 1_200 * (index + 1), ...cost },
    }),
  );
  const other = agentOf(320, 'other');
  server.on(routes.runs.get, runOf(run));
  server.on(routes.runs.agents, async () => {
    await agentsAwait();
    return { items: [...lanes, other], position: 0 };
  });
  server.on(routes.versions.get, versionOf(40, 'sums'));
  server.on(routes.runs.ranking, {
    ...{ run_id: RUN, state: 'ready', revision: 1, ...(variants && { variants }) },
    items: [lanes[1], other, lanes[0], lanes[3], lanes[2]].map((lane = other, index) => ({
      ...{ run_agent_id: lane.id, name: lane.name, rank: index + 1, reason: 'overall', overall: 0.5 },
      ...{ passed: true, validity: 'valid', planned_attempts: 10 },
    })),
  });
  openApp(`/runs/${RUN}/ranking`);
}

const tableRows = async () => {
  const [table] = await screen.findAllByRole('region', { name: 'Ranking' });
  const [, ...rows] = within(table as HTMLElement).getAllByRole('row');
  return rows;
};

test('The ranking has each variant below its baseline, with its verdict, interval and cases needed', async () => {
  openRanking([
    comparison(1, {
      verdict: 'helps',
      difference: 0.2,
      interval: [0.1, 0.3],
      variant_mean: 0.7,
      more_cases: null,
    }),
    comparison(2, {}),
    comparison(3, { verdict: 'harms', difference: -0.17, interval: [-0.3, -0.04], more_cases: null }),
  ]);
  const rows = await tableRows();
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'coder 4 variants',
    expect.stringMatching(/^3coder barebaseline0\.500/),
    expect.stringMatching(
      /^1coder skillhelps \+20\.0 points in pass rate over bare, 95 % interval \+10\.0 to \+30\.0/,
    ),
    expect.stringMatching(/^5coder docsno difference shown \(needs 274 more cases to show 5\.0 points\)/),
    expect.stringMatching(/^4coder smallharms −17\.0 points in pass rate .*−30\.0 to −4\.0, 40 common cases/),
    expect.stringMatching(/^2other–0\.500/),
  ]);
  const group = screen.getAllByRole('rowgroup').find(({ textContent }) => textContent?.startsWith('coder'));
  expect(within(group as HTMLElement).getAllByRole('row')).toHaveLength(5);
});

test('The rows of a ranking are shown in their final places, once the agents are known', async () => {
  const { reply, release } = heldBack(undefined);
  openRanking([comparison(1, {})], {}, undefined, reply);
  await screen.findByText('Loading the agents …');
  expect(screen.queryByRole('region', { name: 'Ranking' })).toBeNull();
  release();
  const [group] = await tableRows();
  expect(group?.textContent).toBe('coder 4 variants');
});

test('A variant whose baseline has no result is marked as not compared', async () => {
  openRanking([comparison(1, {})]);
  const [, , , docs] = await tableRows();
  expect(docs?.textContent).toContain('not compared: bare has no result');
});

test('A ranking without variants has no groups, and its own order', async () => {
  openRanking(undefined);
  const rows = await tableRows();
  expect(rows.map(({ textContent }) => textContent?.slice(0, 6))).toEqual([
    ...['1skill', '2other', '3bare0', '4small', '5docs0'],
  ]);
  expect(screen.queryByText(/Against the baseline/)).toBeNull();
});

test('The quality of agents is drawn against their cost per attempt, also where the pack does not score it', async () => {
  openRanking(undefined);
  await tableRows();
  const points = screen.getByRole('img', { name: / at / }).getAttribute('aria-label')?.split('; ');
  expect(points).toContain('skill: 0.500 at $0.05');
  expect(points?.join()).not.toContain('other');
});

test('A ranking shows a cost that is unknown as unknown, with its known part, and draws no point of it', async () => {
  openRanking(undefined, {}, { cost_usd: null, cost_at_least_usd: 0.5 });
  const [skill] = await tableRows();
  expect(skill?.textContent).toContain('unknown (at least $0.50)');
  expect(screen.queryByRole('img', { name: / at \$/ })).toBeNull();
});

test('A ranking shows what each agent spent on models', async () => {
  openRanking(undefined);
  const [skill, other] = await tableRows();
  expect(screen.getByText('ranked by overall score')).toBeTruthy();
  expect(skill?.textContent).toMatch(/2\.4K\$0\.50/);
  expect(other?.textContent).not.toContain('$');
  const [table] = screen.getAllByRole('region', { name: 'Ranking' });
  const titles = within(table as HTMLElement)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
  expect(titles).toEqual(expect.arrayContaining(['Tokens', 'Cost']));
});

const failedAttempt = (at: number, code: string, message: string) =>
  attemptOf(400 + at, {
    ...{ outcome: 'infra_error', overall: null, passed: null, case_key: `case ${at}` },
    error: { code, message, retryable: false },
  });

test('Below the ranking of a replay, attempts that differ alike have their first difference together', async () => {
  const message = divergenceText({ call: 2, path: 'model', expected: '"a"', found: '"b"' });
  const another = divergenceText({ call: 2, path: 'model', expected: '"c"', found: '"d"' });
  const rest = 'the recorded attempt made 3 model calls, and this attempt makes a further one';
  const listed = server.on(
    routes.runs.attempts,
    page([
      failedAttempt(1, 'sandbox_lost', 'gone'),
      failedAttempt(2, 'replay_diverged', message),
      failedAttempt(3, 'replay_diverged', another),
      failedAttempt(4, 'replay_diverged', rest),
    ]),
  );
  openRanking(undefined, {
    ...{ model_calls: 'replay' as const, replay_from: id(101) },
    progress: progressOf({ by_outcome: { infra_error: 4 } }),
  });
  const panel = await screen.findByRole('region', { name: 'Attempts that differ from the recorded run (3)' });
  const items = within(panel).getAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Model call 2 differs from the recorded one at modelExpected"a"Found"b"alpha on case 2alpha on case 3',
    `${rest}alpha on case 4`,
  ]);
  expect(
    within(panel)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([2, 3, 4].map((at) => `/attempts/${id(400 + at)}`));
  expect(listed[0]?.query).toMatchObject({ outcome: 'infra_error' });
});

test('The ranking of a live run requests no diverged attempts', async () => {
  openRanking(undefined, { progress: progressOf({ by_outcome: { infra_error: 2 } }) });
  await tableRows();
  expect(screen.queryByText(/differ from the recorded run/)).toBeNull();
});
