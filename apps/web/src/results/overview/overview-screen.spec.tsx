import { type Failure, routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { agentOf, id, page, RUN, runOf } from '../../testing/fixtures.js';
import { field, heading, openApp, server } from '../../testing/open-app.js';

const measure = (more: object) => ({
  ...{ state: 'available', n: 40, baseline: 0.5, candidate: 0.7, mean_difference: 0.2, se: 0.05 },
  ...{ ci: [0.1, 0.3], interval: [0.1, 0.3], interval_adjusted: [0.1, 0.3], p: 0.001, p_adjusted: 0.002 },
  ...{
    method: 't',
    mde: 0.1,
    cases_needed: null,
    verdict: 'better',
    raw: { baseline: null, candidate: null },
  },
  ...{ pairs: [], negligible: false },
  ...more,
});

const FAILURE: Failure = {
  ...{ cluster_key: 'frc_1', run_agent_id: id(301), agent_name: 'beta', case_key: 'peru' },
  ...{ class: 'wrong_output', code: 'output.wrong', severity: 'error', agent_fault: true },
  ...{ failing_keys: ['exact'], attempts: 3, attempt_id: id(500), runs: 1 },
};

type Costs = readonly [alpha: number | null, beta: number | null];

function openOverview(
  verdict: 'better' | 'inconclusive',
  costs: Costs = [5, 0.02],
): ReturnType<typeof openApp> {
  const run = { run_id: RUN, name: 'nightly', number: 42, selective_retry: false };
  const agents = [300, 301].map((number) => ({
    run_agent_id: id(number),
    name: number === 300 ? 'alpha' : 'beta',
  }));
  const lanes = agents.map(({ name }, index) =>
    agentOf(300 + index, name, {
      tally: { judged: 10, graded: 10, tokens: 1_000, cost_usd: costs[index] ?? null },
      latency: { p50_ms: 1_200, p95_ms: 9_000, attempts: 10 },
    }),
  );
  server.on(routes.runs.get, runOf({ number: 42 }));
  server.on(routes.runs.agents, { items: lanes, position: 0 });
  server.on(routes.runs.ranking, {
    ...{ run_id: RUN, state: 'ready', revision: 1 },
    items: lanes.map(({ id: run_agent_id, name }, index) => ({
      ...{ run_agent_id, name, rank: index + 1, reason: 'overall', overall: 0.7 - index / 5, passed: true },
      ...{ validity: 'valid', planned_attempts: 10, usable_attempts: 10 },
      overall_estimate: { mean: 0.7 - index / 5, interval: [0.4, 0.9] },
    })),
  });
  server.on(routes.runs.failures, page([FAILURE, { ...FAILURE, case_key: 'malta', attempts: 1 }]));
  server.on(routes.attempts.scorecard, {
    ...{ attempt_id: id(500), state: 'pending', revision: null, evaluation_spec_id: null, spec_hash: null },
    ...{ evidence_hash: null, scored_at: null, scorecard: null, failure: null },
  });
  const overall = measure(
    verdict === 'better' ? {} : { verdict, p_adjusted: 0.3, interval_adjusted: [-0.1, 0.5] },
  );
  const requests = server.on(routes.comparisons.compare, {
    ...{ baseline: { ...run, agents }, candidate: { ...run, agents } },
    comparisons: [
      {
        ...{ baseline_run_agent_id: id(301), candidate_run_agent_id: id(300), comparable: true, reasons: [] },
        ...{ cases: 40, detect: 0.05, overall, pass: measure({}), dimensions: {} },
      },
    ],
  } as never);
  compared = requests;
  return openApp(`/runs/${RUN}`);
}

let compared: readonly { query: object }[] = [];

test('the overview of a run that has ended has its winner with the test against the second', async () => {
  openOverview('better');
  await heading('#42 nightly');
  const winner = await screen.findByRole('region', { name: 'Winner' });
  await within(winner).findByText('alpha leads beta by +0.200 [+0.100, +0.300]');
  expect(within(winner).getByText('significant')).toBeTruthy();
  expect(compared[0]?.query).toEqual({
    ...{ baseline: RUN, candidate: RUN, baseline_agent: id(301), candidate_agent: id(300) },
  });
});

test('the overview claims no significance that the interval does not support', async () => {
  openOverview('inconclusive');
  await screen.findByText('Not significant over 40 common cases (p = 0.300).');
  expect(screen.queryByText('significant')).toBeNull();
});

test('the ranking of the overview has tokens, cost and the percentiles of times beside the scores', async () => {
  openOverview('better');
  const table = (await screen.findAllByRole('region', { name: 'Ranking' })).at(-1) as HTMLElement;
  const titles = within(table)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
  expect(titles).toEqual(expect.arrayContaining(['Tokens', 'Cost', 'p50 time', 'p95 time']));
  expect(within(table).getAllByText('9.0 s')).toHaveLength(2);
});

test('the chart has a table of the same figures, and shows time in place of cost', async () => {
  const user = openOverview('better');
  await screen.findByRole('img', { name: 'alpha: 0.700 at $0.50; beta: 0.500 at $0.0020' });
  const table = await screen.findByRole('region', { name: 'Score and cost of each agent' });
  expect(within(table).getAllByText('yes')).toHaveLength(2);
  await user.selectOptions(field('Against'), 'median time');
  await screen.findByRole('img', { name: 'alpha: 0.700 at 1.2 s; beta: 0.500 at 1.2 s' });
  const times = await screen.findByRole('region', { name: 'Score and median time of each agent' });
  expect(within(times).getAllByText('beaten')).toHaveLength(1);
});

test('an agent that costs nothing is drawn, and beats one that does worse for money', async () => {
  openOverview('better', [0, 5]);
  await screen.findByRole('img', { name: 'alpha: 0.700 at $0; beta: 0.500 at $0.50' });
  const table = await screen.findByRole('region', { name: 'Score and cost of each agent' });
  const [, ...rows] = within(table).getAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/alpha0\.700\$0yes$/),
    expect.stringMatching(/beta0\.500\$0\.50beaten$/),
  ]);
  expect(screen.queryByText(/^Not compared/)).toBeNull();
});

test('the ticks of a chart of small costs differ', async () => {
  openOverview('better', [0.2, 0.08]);
  const chart = await screen.findByRole('img', { name: 'alpha: 0.700 at $0.02; beta: 0.500 at $0.0080' });
  const ticks = [...chart.querySelectorAll('text')].flatMap(({ textContent }) =>
    textContent?.startsWith('$') ? [textContent] : [],
  );
  expect(ticks.length).toBeGreaterThan(2);
  expect(new Set(ticks).size).toBe(ticks.length);
});

test('the chart is drawn for the width of a narrow screen, with texts in proportion', async () => {
  const wide = globalThis.matchMedia;
  globalThis.matchMedia = () => Object.assign(new EventTarget(), { matches: true }) as MediaQueryList;
  try {
    openOverview('better');
    const chart = await screen.findByRole('img', { name: /^alpha: 0.700/ });
    expect(chart.getAttribute('viewBox')).toBe('0 0 400 320');
    const ends = [...chart.querySelectorAll('text')].map((text) => Number(text.getAttribute('x')));
    expect(Math.max(...ends)).toBeLessThan(400);
  } finally {
    globalThis.matchMedia = wide;
  }
});

test('an agent whose cost is unknown is named below the chart, which has no point of it', async () => {
  openOverview('better', [null, 5]);
  await screen.findByRole('img', { name: 'beta: 0.500 at $0.50' });
  expect(screen.getByText('Not compared, as the cost is unknown: alpha')).toBeTruthy();
});

test('agents that all cost nothing are compared by their times', async () => {
  openOverview('better', [0, 0]);
  await screen.findByRole('img', { name: 'alpha: 0.700 at 1.2 s; beta: 0.500 at 1.2 s' });
  expect(screen.queryByLabelText('Against')).toBeNull();
});

test('the names of agents are drawn after every line of the chart, so that none crosses them', async () => {
  openOverview('better');
  const chart = await screen.findByRole('img', { name: /^alpha: 0.700/ });
  const drawn = [...chart.querySelectorAll('line, path, text')];
  const names = ['alpha', 'beta'].map((name) => drawn.findIndex(({ textContent }) => textContent === name));
  const lines = drawn.flatMap(({ tagName }, index) => (tagName === 'text' ? [] : [index]));
  expect(Math.min(...names)).toBeGreaterThan(Math.max(...lines));
});

test('the failures of the overview are grouped by agent and reason, each with an example', async () => {
  openOverview('better');
  const table = (await screen.findAllByRole('region', { name: 'Top failures' })).at(-1) as HTMLElement;
  const [, row] = within(table).getAllByRole('row');
  expect(row?.textContent).toBe('betawrong output: exact 42peru');
  expect(within(table).getByRole('link', { name: 'peru' }).getAttribute('href')).toBe(`/attempts/${id(500)}`);
});

test.each(['Ranking', 'Top failures'])(
  'on narrow screens the rows of %s are blocks whose values have their titles',
  async (name) => {
    openOverview('better');
    const region = (await screen.findAllByRole('region', { name })).at(-1) as HTMLElement;
    const table = within(region).getByRole('table');
    expect(table.classList.contains('stacked')).toBe(true);
    for (const cell of table.querySelectorAll<HTMLElement>('td')) expect(cell.dataset.title).not.toBe('');
    expect(table.querySelector('td')?.dataset.title).toBeTruthy();
  },
);

test('the overview of a run that is at work is its arena', async () => {
  server.on(routes.runs.get, runOf({ status: 'queued', started_at: null, finished_at: null }));
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha')], position: 0 });
  server.on(routes.runs.events, () => new Response(null, { status: 204 }));
  openApp(`/runs/${RUN}`);
  await waitFor(() => expect(location.pathname).toBe(`/runs/${RUN}/arena`));
  expect(screen.queryByRole('link', { name: 'Overview' })).toBeNull();
});
