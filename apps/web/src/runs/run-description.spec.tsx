import { type Run, routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { heldBack } from '../testing/fake-server.js';
import { agentOf, id, page, progressOf, RUN, runOf } from '../testing/fixtures.js';
import { button, field, heading, openApp, server } from '../testing/open-app.js';

const OTHER = id(101);

/** The failures of a run: the smallest of its screens. */
function openRun(run: Partial<Run>, role: 'viewer' | 'member' = 'member') {
  server.on(routes.runs.get, runOf(run));
  server.on(routes.runs.failures, page([]));
  return openApp(`/runs/${RUN}/failures`, { role });
}

test('the name, the note and the labels of a run are edited in place, and only what changed is sent', async () => {
  const run = { number: 42, note: 'old', labels: { branch: 'main', draft: 'yes' } };
  const edits = server.on(routes.runs.edit, runOf(run));
  const user = openRun(run);
  await heading('#42 nightly');
  await user.click(await screen.findByRole('button', { name: 'Edit name, note and labels' }));
  await user.clear(field('Name'));
  await user.clear(field('Labels'));
  await user.type(field('Labels'), 'branch=main\nteam');
  await user.click(button('Save'));
  await screen.findByText('Line 2 must be key=value');
  await user.type(field('Labels'), '=search');
  await user.click(button('Save'));
  await waitFor(() => expect(edits).toHaveLength(1));
  expect(edits[0]?.body).toEqual({ name: null, labels: { draft: null, team: 'search' } });
  await screen.findByRole('button', { name: 'Edit name, note and labels' });
});

test('the fields of a run take no text while they are saved, as the form closes then', async () => {
  const { reply, release } = heldBack(runOf({ name: 'monday' }));
  server.on(routes.runs.edit, reply);
  const user = openRun({});
  await user.click(await screen.findByRole('button', { name: 'Edit name, note and labels' }));
  await user.clear(field('Name'));
  await user.type(field('Name'), 'monday{Enter}');
  await waitFor(() => expect(field('Name').readOnly).toBe(true));
  await user.type(field('Note'), 'late');
  expect(field('Note').value).toBe('');
  release();
  await screen.findByRole('button', { name: 'Edit name, note and labels' });
});

test('a viewer sees the note and the labels, and cannot edit them', async () => {
  openRun({ note: 'Checked by hand', labels: { branch: 'main' } }, 'viewer');
  await screen.findByText('Checked by hand');
  expect(screen.getByRole('link', { name: 'branch=main' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Edit name, note and labels' })).toBeNull();
});

test('a run is run again after a confirmation with attempts, agents and cost, and the new run is opened', async () => {
  const spent = { tally: { judged: 10, graded: 10, tokens: 1_000, cost_usd: 0.75 } };
  server.on(routes.runs.agents, {
    ...{ items: [agentOf(300, 'alpha', spent), agentOf(301, 'beta', spent)], position: 0 },
  });
  const created = server.on(routes.runs.create, runOf({ id: OTHER, number: 43 }));
  server.on(routes.runs.ranking, { run_id: OTHER, state: 'pending', revision: null, items: [] });
  const user = openRun({ number: 42, repetitions: 2, progress: progressOf({ total: 2_000 }) });
  await user.click(await screen.findByRole('button', { name: 'Run again' }));
  const dialog = screen.getByRole('dialog', { name: 'Run #42 again?' });
  await within(dialog).findByText('2 agents: alpha, beta. This run cost: $1.50.');
  expect(dialog.textContent).toContain('2,000 attempts');
  const form = within(dialog).getByRole('link', { name: 'Open the start form instead' });
  expect(form.getAttribute('href')).toBe(`/runs/new?like=${RUN}`);
  expect(created).toHaveLength(0);
  await user.click(within(dialog).getByRole('button', { name: 'Run again' }));
  await waitFor(() => expect(location.pathname).toBe(`/runs/${OTHER}`));
  expect(created[0]?.body).toMatchObject({
    ...{ challenge_pack_version_id: id(200), challenge_input_set_id: id(202), repetitions: 2 },
    deployment_ids: [id(1300), id(1301)],
  });
});

test('a run is not run again when the confirmation is closed', async () => {
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha')], position: 0 });
  const created = server.on(routes.runs.create, runOf({ id: OTHER }));
  const user = openRun({ number: 42, stop_when: { budget: { usd: 1 } } });
  await user.click(await screen.findByRole('button', { name: 'Run again' }));
  const dialog = screen.getByRole('dialog');
  await within(dialog).findByText(/^Agent: alpha/);
  expect(dialog.textContent).toContain('at most 10 attempts');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(created).toHaveLength(0);
});
