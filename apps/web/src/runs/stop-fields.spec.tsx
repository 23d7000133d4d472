import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { problem, type SentRequest } from '../testing/fake-server.js';
import { agentOf, deploymentOf, id, packOf, page, runOf } from '../testing/fixtures.js';
import { button, field, openApp, server } from '../testing/open-app.js';

const VERSION = id(41);
const SET = { name: 'Main', description: null, challenge_key: 'add', case_count: 10 };
const EARLIER = runOf({
  ...{ id: id(120), name: 'accepted', challenge_pack_version_id: VERSION },
  input_set: { id: id(60), key: 'main' },
});

/** The run that a form starts: its screen is the arena. */
const STARTED = runOf({ status: 'queued', started_at: null, finished_at: null });

let started: readonly SentRequest[];
let listed: readonly SentRequest[];

beforeEach(() => {
  server.on(routes.packs.list, page([packOf(40, 'sums'), packOf(50, 'texts')]));
  server.on(routes.deployments.list, page([deploymentOf(10, 'alpha'), deploymentOf(11, 'beta')]));
  server.on(routes.versions.manifest, {});
  server.on(routes.versions.inputSets, { items: [{ id: id(60), key: 'main', ...SET }] });
  started = server.on(routes.runs.create, runOf());
  server.on(routes.runs.get, ({ params }) => (params.run_id === EARLIER.id ? EARLIER : STARTED));
  server.on(routes.runs.events, () => new Response(null, { status: 204 }));
  serveEarlierAgents('alpha');
  const ofOtherCases = runOf({
    ...EARLIER,
    id: id(121),
    name: 'others',
    input_set: { id: id(61), key: 'few' },
  });
  const ofOtherVersion = runOf({ ...EARLIER, id: id(122), name: 'old', challenge_pack_version_id: id(49) });
  listed = server.on(routes.runs.list, page([EARLIER, ofOtherCases, ofOtherVersion]));
});

function serveEarlierAgents(...names: string[]): void {
  const items = names.map((name, at) => agentOf(330 + at, name));
  server.on(routes.runs.agents, { items, position: 0 });
}

async function openForm(): Promise<UserEvent> {
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  await user.click(field(/^beta/));
  return user;
}

async function start(user: UserEvent): Promise<unknown> {
  await user.click(button('Start'));
  await waitFor(() => expect(started).toHaveLength(1));
  return started[0]?.body;
}

async function retype(user: UserEvent, label: string, text: string): Promise<void> {
  await user.clear(field(label));
  await user.type(field(label), text);
}

async function chooseEarlierRun(user: UserEvent): Promise<void> {
  await user.click(field('Stop as soon as the verdict is known'));
  await user.selectOptions(field('Goal'), 'baseline');
  await user.click(button('Run of the baseline: choose a run'));
  const runs = await screen.findByRole('list', { name: 'Runs to choose from' });
  await user.click(within(runs).getByRole('button', { name: /^accepted/ }));
  await screen.findByRole('button', { name: 'Run of the baseline: accepted' });
}

test('A run without a condition has neither stop_when nor a seed in its request', async () => {
  const user = await openForm();
  const body = await start(user);
  expect(body).not.toHaveProperty('stop_when');
  expect(body).not.toHaveProperty('seed');
});

test('Every condition of a race that stops early is in the request, with its seed', async () => {
  const user = await openForm();
  expect(screen.queryByLabelText('Alpha')).toBeNull();
  await user.click(field('Stop as soon as the verdict is known'));
  await user.selectOptions(field('Goal'), 'best');
  await user.selectOptions(field('Metric'), 'overall');
  await retype(user, 'Alpha', '0.01');
  await retype(user, 'Margin', '0.02');
  await user.type(field('US dollars at most (optional)'), '2.5');
  await user.type(field('Tokens at most (optional)'), '90000');
  await user.type(field('Attempts at most (optional)'), '60');
  await user.type(field('Seed (optional)'), '0');
  expect(await start(user)).toMatchObject({
    stop_when: {
      decided: { goal: 'best', metric: 'overall', alpha: 0.01, margin: 0.02 },
      budget: { usd: 2.5, tokens: 90_000, attempts: 60 },
    },
    seed: 0,
  });
});

test('A budget is a condition by itself', async () => {
  const user = await openForm();
  await user.type(field('US dollars at most (optional)'), '2.5');
  const body = await start(user);
  expect(body).toMatchObject({ stop_when: { budget: { usd: 2.5 } } });
  expect(started[0]?.body).not.toHaveProperty('stop_when.decided');
});

test('A baseline is chosen among the completed runs on the same version and input set', async () => {
  const user = await openForm();
  await user.click(field('Stop as soon as the verdict is known'));
  await user.selectOptions(field('Goal'), 'baseline');
  await user.click(button('Run of the baseline: choose a run'));
  const runs = await screen.findByRole('list', { name: 'Runs to choose from' });
  expect(within(runs).getAllByRole('button')).toHaveLength(1);
  expect(listed.at(-1)?.query).toMatchObject({ status: 'completed', pack: 'sums' });
});

test('The only agent of the chosen run is the baseline', async () => {
  const user = await openForm();
  await chooseEarlierRun(user);
  expect(await start(user)).toMatchObject({
    stop_when: { decided: { goal: 'baseline', baseline: id(330) } },
  });
});

test('A baseline must be chosen among several agents of its run, and nothing is sent before', async () => {
  serveEarlierAgents('alpha', 'gamma');
  const user = await openForm();
  await chooseEarlierRun(user);
  await user.click(button('Start'));
  const alert = await screen.findByText('Choose the baseline.');
  expect(field('Baseline').getAttribute('aria-describedby')).toContain(alert.id);
  expect(started).toHaveLength(0);
  await user.selectOptions(field('Baseline'), 'gamma');
  expect(await start(user)).toMatchObject({ stop_when: { decided: { baseline: id(331) } } });
});

test('Another version removes the baseline, which is of other cases', async () => {
  const user = await openForm();
  await chooseEarlierRun(user);
  await user.selectOptions(field('Pack and version'), id(51));
  expect(button('Run of the baseline: choose a run')).toBeTruthy();
});

test.each([
  ['stop_when.decided.goal', 'Goal'],
  ['stop_when.decided.metric', 'Metric'],
  ['stop_when.decided.alpha', 'Alpha'],
  ['stop_when.decided.margin', 'Margin'],
  ['stop_when.budget.usd', 'US dollars at most (optional)'],
  ['stop_when.budget.tokens', 'Tokens at most (optional)'],
  ['stop_when.budget.attempts', 'Attempts at most (optional)'],
  ['seed', 'Seed (optional)'],
])('A problem that the server finds in %s is shown at its field', async (name, label) => {
  const errors = [{ field: name, code: 'contradiction', message: 'does not fit' }];
  server.on(routes.runs.create, () => problem('invalid_input', 'The run cannot be started.', { errors }));
  const user = await openForm();
  await user.click(field('Stop as soon as the verdict is known'));
  await user.click(button('Start'));
  const alert = await screen.findByText('Does not fit.');
  expect(field(label).getAttribute('aria-describedby')).toContain(alert.id);
  expect(field(label).getAttribute('aria-invalid')).toBe('true');
});

test('A problem of all conditions together is shown with them', async () => {
  const errors = [{ field: 'stop_when.decided', code: 'too_many', message: 'compares at most 16 lanes' }];
  server.on(routes.runs.create, () => problem('invalid_input', 'The run cannot be started.', { errors }));
  const user = await openForm();
  await user.click(field('Stop as soon as the verdict is known'));
  await user.click(button('Start'));
  const conditions = screen.getByRole('region', { name: 'Stop when' });
  expect((await within(conditions).findByRole('alert')).textContent).toBe('Compares at most 16 lanes.');
});
