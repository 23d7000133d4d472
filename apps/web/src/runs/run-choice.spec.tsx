import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { problem } from '../testing/fake-server.js';
import { deploymentOf, id, packOf, page, runOf } from '../testing/fixtures.js';
import { button, openApp, server } from '../testing/open-app.js';

const SET = { name: 'Main', description: null, challenge_key: 'add', case_count: 10 };

beforeEach(() => {
  server.on(routes.packs.list, page([packOf(40, 'sums'), packOf(50, 'texts')]));
  server.on(routes.deployments.list, page([deploymentOf(10, 'alpha')]));
  server.on(routes.versions.manifest, {});
  server.on(routes.versions.inputSets, { items: [{ id: id(60), key: 'main', ...SET }] });
});

test('the run whose failed cases are run is chosen by its number among the ended runs of the pack', async () => {
  const ended = runOf({ id: id(42), number: 42, name: null });
  const lists = server.on(
    routes.runs.list,
    page([ended, runOf({ id: id(43), number: 43, status: 'running' })]),
  );
  server.on(routes.runs.get, ended);
  const started = server.on(routes.runs.create, () => problem('unavailable', 'The test ends here.'));
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  await user.click(button('Failed cases of a run (optional): choose a run'));
  const dialog = screen.getByRole('dialog', { name: /^Failed cases of a run/ });
  await user.click(await within(dialog).findByRole('button', { name: /^Run #42/ }));
  expect(within(dialog).queryByText(/#43/)).toBeNull();
  expect(lists.at(-1)?.query).toMatchObject({ pack: 'sums' });
  await screen.findByRole('button', { name: 'Failed cases of a run (optional): Run #42' });
  await user.click(button('Start'));
  await waitFor(() => expect(started).toHaveLength(1));
  expect(started[0]?.body).toMatchObject({ only_failed_of: ended.id });
});

test('a run whose failed cases were to be run is no choice of another pack', async () => {
  const ended = runOf({ id: id(42), number: 42, name: null });
  server.on(routes.runs.get, ended);
  const user = openApp(`/runs/new?version=${id(41)}&only_failed=${ended.id}`);
  await screen.findByRole('button', { name: 'Failed cases of a run (optional): Run #42' });
  await user.selectOptions(screen.getByLabelText('Pack and version'), id(51));
  expect(button('Failed cases of a run (optional): choose a run')).toBeTruthy();
});
