import { routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { problem } from '../testing/fake-server.js';
import { DECIDED, deploymentOf, id, packOf, page, RUN, runOf } from '../testing/fixtures.js';
import { button, field, heading, openApp, server } from '../testing/open-app.js';
import { savedBy } from '../testing/saved-files.js';

const runs = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => runOf({ id: id(first + at), name: `run ${first + at}` }));

const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);

test('the runs are listed with links to them, and a further page is appended', async () => {
  const requests = server.on(routes.runs.list, ({ query }) =>
    query.cursor === undefined ? page(runs(1, 2), 'next') : page(runs(3, 1)),
  );
  const user = openApp('/runs');
  await heading('Runs');
  const link = await screen.findByRole('link', { name: 'run 1' });
  expect(link.getAttribute('href')).toBe(`/runs/${id(1)}`);
  await user.click(button('More runs'));
  await screen.findByRole('link', { name: 'run 3' });
  expect(names()).toEqual(['run 1', 'run 2', 'run 3']);
  expect(screen.queryByRole('button', { name: 'More runs' })).toBeNull();
  expect(requests.at(-1)?.query).toEqual({ cursor: 'next' });
});

test('a file of the runs has those of all pages, with ids and exact values', async () => {
  const requests = server.on(routes.runs.list, ({ query }) =>
    query.cursor === undefined ? page(runs(1, 2), 'next') : page(runs(3, 1)),
  );
  const user = openApp('/runs?status=completed');
  const { name, text } = await savedBy(user, 'Download Runs as JSON');
  expect(name).toBe('runs.json');
  const records = JSON.parse(text) as Record<string, unknown>[];
  expect(records.map(({ run, run_id }) => [run, run_id])).toEqual([
    ...[1, 2, 3].map((number) => [`run ${number}`, id(number)]),
  ]);
  expect(records[0]).toMatchObject({ status: 'completed', attempts: 10, finished: 10, passed: 7 });
  expect(requests.at(-1)?.query).toEqual({ status: 'completed', limit: '200', cursor: 'next' });
  expect(names()).toHaveLength(2);
});

test('a filter is in the request and in the address, and the address alone sets it', async () => {
  const requests = server.on(routes.runs.list, page(runs(1, 1)));
  const user = openApp('/runs?status=failed&pack=sums');
  await screen.findByRole('link', { name: 'run 1' });
  expect(requests.at(-1)?.query).toEqual({ status: 'failed', pack: 'sums' });
  expect(field('Status').value).toBe('failed');
  await user.selectOptions(field('Status'), 'running');
  await waitFor(() => expect(requests.at(-1)?.query).toEqual({ status: 'running', pack: 'sums' }));
  expect(location.search).toBe('?status=running&pack=sums');
});

test('filters offer the known packs, deployments and labels, and other texts can be typed', async () => {
  const labelled = runOf({ id: id(1), name: 'run 1', labels: { branch: 'main' } });
  const requests = server.on(routes.runs.list, page([labelled]));
  const packs = server.on(routes.packs.list, page([packOf(40, 'sums'), packOf(50, 'capitals')]));
  server.on(routes.deployments.list, page([deploymentOf(10, 'beta'), deploymentOf(11, 'alpha')]));
  const user = openApp('/runs');
  await screen.findByRole('link', { name: 'run 1' });
  const offered = (label: string) => [...(field(label).list?.options ?? [])].map(({ value }) => value);
  expect(offered('Label')).toEqual(['branch=main']);
  expect(packs).toHaveLength(0);
  await user.click(field('Pack'));
  await waitFor(() => expect(offered('Pack')).toEqual(['capitals', 'sums']));
  await waitFor(() => expect(offered('Deployment')).toEqual(['alpha', 'beta']));
  await user.type(field('Pack'), 'other');
  await waitFor(() => expect(requests.at(-1)?.query).toEqual({ pack: 'other' }));
});

test('runs that were not called live are marked, and found by a filter', async () => {
  const marked = (['record', 'replay', 'cache'] as const).map((mode, at) =>
    runOf({ id: id(at + 1), name: mode, model_calls: mode }),
  );
  const requests = server.on(routes.runs.list, page([...marked, runOf({ id: id(9), name: 'live' })]));
  const user = openApp('/runs');
  await screen.findByRole('link', { name: 'live' });
  const cells = screen.getAllByRole('row').slice(1);
  expect(cells.map((row) => /recorded|replayed|cached replies/.exec(row.textContent ?? '')?.[0])).toEqual([
    ...['recorded', 'replayed', 'cached replies'],
    undefined,
  ]);
  await user.selectOptions(field('Model calls'), 'recorded');
  await waitFor(() => expect(requests.at(-1)?.query).toEqual({ model_calls: 'record' }));
});

test('A run that stopped early is marked, and its bar is full without the skipped attempts', async () => {
  server.on(routes.runs.list, page([runOf(DECIDED)]));
  openApp('/runs');
  await screen.findByText('stopped: decided');
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    '122 of 122 attempts finished, 70 passed, 2 not graded, 878 skipped',
  );
  expect(screen.getByText('122/122, 878 skipped')).toBeTruthy();
});

test('a search is sent once the typing pauses, not for every letter', async () => {
  const requests = server.on(routes.runs.list, page(runs(1, 1)));
  openApp('/runs');
  await screen.findByRole('link', { name: 'run 1' });
  const before = requests.length;
  await userEvent.setup({ delay: 20 }).type(field('Search'), 'nightly');
  await waitFor(() => expect(requests.at(-1)?.query).toEqual({ q: 'nightly' }));
  expect(requests.length - before).toBeLessThan('nightly'.length);
});

test('filters that match nothing can be cleared at once', async () => {
  server.on(routes.runs.list, ({ query }) => page(query.status === undefined ? runs(1, 1) : []));
  const user = openApp('/runs?status=failed&label=a%3Db');
  await screen.findByText('No runs match');
  await user.click(button('Clear filters'));
  await screen.findByRole('link', { name: 'run 1' });
  expect(location.search).toBe('');
});

test('an empty workspace names the next steps to a member, and none to a viewer', async () => {
  server.on(routes.runs.list, page([]));
  openApp('/runs', { role: 'member' });
  await screen.findByText('No runs yet');
  expect(screen.getByRole('link', { name: 'Publish a pack' }).getAttribute('href')).toBe('/packs/check');
  expect(screen.getByRole('link', { name: 'Start a run' }).getAttribute('href')).toBe('/runs/new');
});

test('a viewer is offered no run to start', async () => {
  server.on(routes.runs.list, page([]));
  openApp('/runs', { role: 'viewer' });
  await screen.findByText('No runs yet');
  expect(screen.queryByRole('link', { name: 'Start a run' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Publish a pack' })).toBeNull();
});

test('a list that fails is no empty list, and can be loaded again', async () => {
  let isBroken = true;
  server.on(routes.runs.list, () => (isBroken ? problem('internal', 'The list failed.') : page(runs(1, 1))));
  const user = openApp('/runs');
  await screen.findByText('The list failed.');
  expect(screen.queryByText('No runs yet')).toBeNull();
  isBroken = false;
  await user.click(button('Try again'));
  await screen.findByRole('link', { name: 'run 1' });
  expect(screen.queryByRole('alert')).toBeNull();
});

const contender = (number: number, name: string, more: object) => ({
  ...{ id: id(number), name, judged: 10, passed: 7, overall_so_far: 0.5, rank: 2 },
  ...more,
});

test('a run has its number, labels, agents, best score, cost and duration in its row', async () => {
  const agents = [
    contender(301, 'beta', { overall_so_far: 0.25, cost_usd: 0.5 }),
    contender(300, 'alpha', { overall_so_far: 0.875, cost_usd: 1, rank: 1 }),
  ];
  const finished_at = '2026-01-02T03:05:15.000Z';
  server.on(routes.runs.list, page([runOf({ number: 42, labels: { branch: 'main' }, agents, finished_at })]));
  openApp('/runs');
  const link = await screen.findByRole('link', { name: '#42 nightly' });
  const row = link.closest('tr') as HTMLElement;
  const cells = within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(cells).toEqual(expect.arrayContaining(['alpha 0.875beta 0.250', '0.875', '$1.50', '1 m 10 s']));
  const label = within(row).getByRole('link', { name: 'branch=main' });
  expect(label.getAttribute('href')).toBe('/runs?label=branch%3Dmain');
});

test('on narrow screens a run keeps its agents, score and cost, each below its title', async () => {
  server.on(routes.runs.list, page([runOf({ number: 42 })]));
  openApp('/runs');
  const row = (await screen.findByRole('link', { name: '#42 nightly' })).closest('tr');
  const cells = [...(row?.querySelectorAll('td') ?? [])].filter(({ className }) => className !== 'minor');
  const titles = cells.map(({ dataset }) => dataset.title);
  expect(titles).toEqual(expect.arrayContaining(['Status', 'Agents', 'Best score', 'Cost']));
  expect(row?.closest('table')?.classList.contains('stacked')).toBe(true);
});

test('a click on a row opens its run; one on a control of the row does not', async () => {
  server.on(routes.runs.list, page([runOf({ number: 42 })]));
  server.on(routes.runs.get, runOf({ number: 42 }));
  server.on(routes.runs.agents, { items: [], position: 0 });
  server.on(routes.runs.failures, page([]));
  server.on(routes.runs.ranking, { run_id: RUN, state: 'pending', revision: null, items: [] });
  const user = openApp('/runs');
  await user.click(await screen.findByRole('checkbox', { name: 'Compare #42' }));
  expect(location.pathname).toBe('/runs');
  await user.click(screen.getByText('sums v3, main'));
  await waitFor(() => expect(location.pathname).toBe(`/runs/${RUN}`));
});

test('two selected runs of one pack are compared, the older as the baseline; a third cannot be selected', async () => {
  const run = (number: number, more: object = {}) =>
    runOf({ id: id(number), number, created_at: `2026-01-0${number}T00:00:00.000Z`, ...more });
  const other = { pack: { slug: 'other', name: 'Other', version_number: 1 } };
  server.on(
    routes.runs.list,
    page([run(4, { status: 'running', finished_at: null }), run(3, other), run(2), run(1)]),
  );
  const user = openApp('/runs');
  const box = (number: number) =>
    screen.getByRole<HTMLInputElement>('checkbox', { name: `Compare #${number}` });
  await screen.findByRole('checkbox', { name: 'Compare #1' });
  expect(box(4).disabled).toBe(true);
  await user.click(box(2));
  await user.click(box(3));
  expect(box(1).disabled).toBe(true);
  await screen.findByText('#2 and #3 selected: only runs of the same pack and input set can be compared');
  expect(screen.queryByRole('link', { name: 'Compare runs' })).toBeNull();
  await user.click(box(3));
  await user.click(box(1));
  const compare = await screen.findByRole('link', { name: 'Compare runs' });
  expect(compare.getAttribute('href')).toBe(`/compare?baseline=${id(1)}&candidate=${id(2)}`);
});
