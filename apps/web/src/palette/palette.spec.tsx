import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { heldBack } from '../testing/fake-server.js';
import { agentOf, attemptOf, id, packOf, page, RUN, runOf } from '../testing/fixtures.js';
import { button, heading, openApp, server } from '../testing/open-app.js';

beforeEach(() => {
  server.on(routes.packs.list, page([packOf(40, 'sums')]));
  server.on(routes.deployments.list, page([]));
  server.on(routes.runs.get, runOf({ number: 42 }));
  server.on(routes.runs.list, ({ query: { q } }) =>
    page(q === undefined || q === '42' || q === 'nightly' ? [runOf({ number: 42 })] : []),
  );
});

const BOX = { name: 'Page, run, pack, deployment or action' };
const input = () => screen.findByRole('combobox', BOX);
const results = () => within(screen.getByRole('listbox', { name: 'Results' }));
const names = () =>
  results()
    .queryAllByRole('option')
    .map((option) => option.firstElementChild?.textContent);
const selected = () => results().getByRole('option', { selected: true }).firstElementChild?.textContent;

async function open() {
  const user = openApp('/runs');
  await heading('Runs');
  await user.keyboard('{Control>}k{/Control}');
  await user.click(await input());
  return user;
}

test('Ctrl-K finds a page by a part of its name, and Enter opens it', async () => {
  const user = await open();
  await user.keyboard('pack');
  await waitFor(() => expect(names()).toEqual(['Packs', 'Check a pack']));
  expect(selected()).toBe('Packs');
  await user.keyboard('{Enter}');
  await heading('Packs');
  expect(screen.queryByRole('combobox', BOX)).toBeNull();
});

test('a number finds the run before anything else', async () => {
  const user = await open();
  server.on(routes.runs.failures, page([]));
  await user.keyboard('42');
  await waitFor(() => expect(names()[0]).toBe('#42 nightly'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(location.pathname).toBe(`/runs/${RUN}`));
  server.violations.length = 0;
});

test('packs are found by name, and the arrows move the choice round the list', async () => {
  const user = await open();
  await user.keyboard('sums');
  await waitFor(() => expect(names()).toEqual(['SUMS']));
  await user.clear(await input());
  await user.keyboard('theme');
  await waitFor(() => expect(names()).toEqual(['Theme: system', 'Theme: light', 'Theme: dark']));
  await user.keyboard('{ArrowUp}');
  expect(selected()).toBe('Theme: dark');
  const box = await input();
  expect(document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent).toBe(
    'Theme: dark',
  );
  await user.keyboard('{ArrowDown}');
  expect(selected()).toBe('Theme: system');
  await user.keyboard('{ArrowUp}{Enter}');
  expect(document.documentElement.dataset.theme).toBe('dark');
  delete document.documentElement.dataset.theme;
});

test('the item that the arrows have chosen stays chosen when others are found before it', async () => {
  const { reply, release } = heldBack(page([packOf(40, 'nightly-sums')]));
  server.on(routes.packs.list, reply);
  server.on(routes.runs.list, page([runOf({ number: 42 }), runOf({ number: 41, id: id(62) })]));
  const user = await open();
  await user.keyboard('nightly');
  await waitFor(() => expect(names()).toEqual(['#42 nightly', '#41 nightly']));
  await user.keyboard('{ArrowDown}');
  expect(selected()).toBe('#41 nightly');
  release();
  await waitFor(() => expect(names()).toEqual(['NIGHTLY-SUMS', '#42 nightly', '#41 nightly']));
  expect(selected()).toBe('#41 nightly');
});

test('a text that nothing matches is reported, and Escape closes the palette', async () => {
  const user = await open();
  await user.keyboard('zzz');
  await screen.findByText('Nothing matches');
  expect(names()).toEqual([]);
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('combobox', BOX)).toBeNull());
});

test('the palette opens by its button, and lists what the role may do', async () => {
  const user = openApp('/runs', { role: 'viewer' });
  await heading('Runs');
  await user.click(button(/^Go to/));
  await input();
  await waitFor(() => expect(names()).toContain('#42 nightly'));
  expect(names()).not.toContain('Start a run');
  expect(names()).toContain('Check a pack');
  const groups = results()
    .getAllByRole('group')
    .map((group) => group.getAttribute('aria-label'));
  expect(groups).toEqual(['Pages', 'Actions', 'Runs']);
});

test('the operator has the pages of the installation, and nothing of a workspace is requested', async () => {
  const requests = server.on(routes.runs.list, page([]));
  server.on(routes.workspaces.list, page([]));
  const user = openApp('/workspaces', { role: 'operator' });
  await heading('Workspaces');
  await user.keyboard('{Control>}k{/Control}');
  await input();
  expect(names()).toContain('Vault keys');
  expect(names()).not.toContain('Start a run');
  expect(requests).toEqual([]);
});

test('a deployment is found by its name', async () => {
  const at = '2026-01-02T03:04:05.000Z';
  const solver = {
    ...{ id: id(70), name: 'solver', kind: 'scripted' as const, config: {}, revision: 2 },
    ...{ status: 'active' as const, runtime_profile_id: null, created_at: at, updated_at: at },
  };
  server.on(routes.deployments.list, page([solver]));
  server.on(routes.deployments.get, solver);
  server.on(routes.runs.trends, page([]));
  const user = await open();
  await user.keyboard('solver');
  await user.click(within(await screen.findByRole('group', { name: 'Deployments' })).getByRole('option'));
  await heading('solver');
  expect(location.pathname).toBe(`/deployments/${id(70)}`);
});

test('the cases of the run that is open are found by a part of their key, each once, and lead to their page', async () => {
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha'), agentOf(301, 'beta')] });
  const keys = ['peru', 'peru', ...Array.from({ length: 9 }, (_, at) => `peru-${at}`)];
  const requests = server.on(routes.runs.attempts, ({ query }) =>
    page(query.q === 'per' ? keys.map((case_key, at) => attemptOf(500 + at, { case_key })) : []),
  );
  const user = openApp(`/runs/${RUN}/search`);
  await heading('#42 nightly');
  await user.keyboard('{Control>}k{/Control}');
  await user.click(await input());
  expect(requests).toEqual([]);
  await user.keyboard('per');
  const found = within(await screen.findByRole('group', { name: 'Cases of this run' }));
  expect(found.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'peru',
    ...keys.slice(2, 9),
  ]);
  expect(requests.at(-1)?.query).toEqual({ run_agent_id: id(300), q: 'per', limit: '200' });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(location.pathname).toBe(`/runs/${RUN}/cases/peru`));
  server.violations.length = 0;
});
