import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { id, packOf, page } from '../testing/fixtures.js';
import { button, field, heading, openApp, server } from '../testing/open-app.js';
import { savedBy } from '../testing/saved-files.js';
import { trendAgent, trendRun } from '../testing/trends.js';

beforeEach(() => {
  server.on(routes.packs.get, packOf(40, 'sums'));
  server.on(routes.versions.inputSets, { items: [] });
});

const rows = () =>
  within(screen.getByRole('region', { name: /^The .* of each run$/ }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent?.trim()));

const latency = { p50_ms: 1_200, p95_ms: 4_000, attempts: 4 };

test('a pack shows the scores of its agents over the runs, newest first, with links to the runs', async () => {
  const requests = server.on(
    routes.runs.trends,
    page([
      trendRun(43, [trendAgent('fast', { overall_so_far: 0.9, latency }), trendAgent('slow')]),
      trendRun(42, [trendAgent('fast', { overall_so_far: 0.7 })]),
    ]),
  );
  const user = openApp('/packs/sums');
  await screen.findByRole('link', { name: 'Run #43' });
  expect(requests.at(-1)?.query).toEqual({ pack: 'sums', limit: '30' });
  expect(rows().map((cells) => cells.slice(0, 4))).toEqual([
    ['Run', 'Pack', 'fast', 'slow'],
    ['Run #43', 'sums v3', '0.900', '0.800'],
    ['Run #42', 'sums v3', '0.700', '–'],
  ]);
  expect(screen.getByRole('link', { name: 'Run #42' }).getAttribute('href')).toBe(`/runs/${id(42)}`);
  // On narrow screens each value has its title beside it: the name of the agent too.
  const scores = screen.getByText('0.900').closest('tr')?.querySelectorAll('td[data-title]') ?? [];
  expect([...scores].map((cell) => cell.getAttribute('data-title'))).toEqual([
    'Pack',
    'fast',
    'slow',
    'Created',
  ]);
  // A line and two points of one agent, a point of the other; the points are links for the mouse.
  const chart = document.querySelector('svg[aria-hidden] a circle')?.closest('svg');
  expect(chart?.querySelectorAll('path')).toHaveLength(1);
  const links = [...(chart?.querySelectorAll('a') ?? [])];
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    `/runs/${id(42)}`,
    `/runs/${id(43)}`,
    `/runs/${id(43)}`,
  ]);
  expect(links.map((link) => link.querySelector('title')?.textContent)).toContain('#43, fast: 0.900');

  await user.selectOptions(field('Measure'), 'p95');
  expect(rows().map((cells) => cells[2])).toEqual(['fast', '4.0 s', '–']);
  await user.selectOptions(field('Measure'), 'cost');
  expect(rows().map((cells) => cells[2])).toEqual(['fast', '$0.0050', '$0.0050']);
});

test('older runs are added on request', async () => {
  const requests = server.on(routes.runs.trends, ({ query }) =>
    query.cursor === undefined
      ? page([trendRun(43, [trendAgent('fast')])], 'next')
      : page([trendRun(42, [trendAgent('fast')])]),
  );
  const user = openApp('/packs/sums');
  await screen.findByRole('link', { name: 'Run #43' });
  await user.click(button('Older runs'));
  await screen.findByRole('link', { name: 'Run #42' });
  expect(requests.at(-1)?.query.cursor).toBe('next');
  expect(screen.queryByRole('button', { name: 'Older runs' })).toBeNull();
});

test('a file of the results has all runs, also older ones, and exact values of all agents', async () => {
  server.on(routes.runs.trends, ({ query }) =>
    query.cursor === undefined
      ? page([trendRun(43, [trendAgent('fast', { latency })])], 'next')
      : page([trendRun(42, [trendAgent('slow', { latency })])]),
  );
  const user = openApp('/packs/sums');
  await screen.findByRole('link', { name: 'Run #43' });
  await user.selectOptions(field('Measure'), 'p95');
  const { text } = await savedBy(user, 'Download The p95 of times of each run as JSON');
  const records = JSON.parse(text) as Record<string, unknown>[];
  expect(records.map((run) => [run.number, run['fast p95_ms'], run['slow p95_ms']])).toEqual([
    [43, 4_000, null],
    [42, null, 4_000],
  ]);
});

test('a pack without a completed run has no chart', async () => {
  server.on(routes.runs.trends, page([]));
  openApp('/packs/sums');
  await screen.findByText('No completed runs yet');
  expect(screen.queryByLabelText('Measure')).toBeNull();
});

test('a deployment shows its results, on each input set by itself', async () => {
  server.on(routes.deployments.get, {
    ...{ id: id(70), name: 'solver', kind: 'scripted', config: {}, revision: 2, status: 'active' },
    ...{
      runtime_profile_id: null,
      created_at: '2026-01-02T03:04:05.000Z',
      updated_at: '2026-01-02T03:04:05.000Z',
    },
  });
  const hard = trendRun(42, [trendAgent('solver')]);
  const requests = server.on(
    routes.runs.trends,
    page([
      trendRun(43, [trendAgent('solver')]),
      { ...hard, is_subset: true, input_set: { ...hard.input_set, key: 'hard' } },
    ]),
  );
  openApp(`/deployments/${id(70)}`);
  await heading('solver');
  await screen.findByRole('link', { name: 'Run #43' });
  expect(requests.at(-1)?.query).toEqual({ deployment: id(70), limit: '30' });
  expect(rows().map((cells) => cells.slice(2, 4))).toEqual([
    ['solver on sums, main', 'solver on sums, hard'],
    ['0.800', '–'],
    ['–', '0.800'],
  ]);
  expect(screen.getByText('some cases')).toBeTruthy();
});
