import { type GateDecision, routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { heldBack, problem, type SentRequest } from '../testing/fake-server.js';
import { AT, agentOf, baselineOf, id, page, RUN, runOf } from '../testing/fixtures.js';
import { button, enabledButton, field, openApp, pressTwice, server } from '../testing/open-app.js';

const DECISION: GateDecision = {
  ...{ verdict: 'fail', reasons: ['regression:correctness'], exit_code: 1, comparison_id: id(500) },
  ...{
    policy_fingerprint: 'abc',
    policy: { name: 'strict' },
    baseline_run_id: id(101),
    candidate_run_id: RUN,
  },
  ...{ decided_at: AT, decided_by: 'laptop' },
};
const POLICY = {
  name: 'strict',
  id: id(510),
  version: 1,
  fingerprint: 'abc',
  created_at: AT,
  updated_at: AT,
};

let evaluated: readonly SentRequest[];

beforeEach(() => {
  server.on(routes.runs.get, ({ params }) =>
    runOf({ id: params.run_id ?? '', name: params.run_id === RUN ? 'candidate' : 'accepted' }),
  );
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha'), agentOf(301, 'beta')], position: 0 });
  server.on(
    routes.baselines.list,
    page([baselineOf('release', { agent_name: 'alpha' }), baselineOf('default')]),
  );
  server.on(routes.gatePolicies.list, page([POLICY]));
  server.on(routes.gatePolicies.getDefault, {
    name: 'built-in',
    fingerprint: 'x',
    built_in: true,
    min_cases: 5,
  });
  server.on(routes.gates.list, page([]));
  evaluated = server.on(routes.gates.evaluate, DECISION);
});

const open = (role: 'viewer' | 'member' = 'member') => openApp(`/runs/${RUN}/gate`, { role });

test('the baselines of the pack and input set are offered, the default one first, and the decision is shown', async () => {
  const requests = server.on(routes.baselines.list, page([baselineOf('release'), baselineOf('default')]));
  const user = open();
  await waitFor(() => expect(field('Baseline').value).toBe('default'));
  expect(requests[0]?.query).toMatchObject({ pack: 'sums', input_set: 'main' });
  await user.click(button('Run gate'));
  const status = await screen.findByText(/by policy/);
  expect(status.textContent).toContain('fail against accepted by policy strict');
  expect(evaluated[0]?.body).toEqual({ baseline: 'default', candidate_run_id: RUN, policy: 'strict' });
  expect(screen.getByRole('link', { name: 'Comparison' }).getAttribute('href')).toBe(
    `/comparisons/${id(500)}`,
  );
});

test('the agents of both sides are sent where they are chosen, and a baseline with an agent has no choice', async () => {
  const user = open();
  await user.selectOptions(await screen.findByLabelText('Agent of this run'), 'beta');
  await user.selectOptions(await screen.findByLabelText('Agent of the baseline'), 'alpha');
  await user.click(button('Run gate'));
  await waitFor(() => expect(evaluated).toHaveLength(1));
  expect(evaluated[0]?.body).toMatchObject({ candidate_agent: 'beta', baseline_agent: 'alpha' });
  await user.selectOptions(field('Baseline'), 'release (alpha)');
  expect(screen.queryByLabelText('Agent of the baseline')).toBeNull();
  await user.click(button('Run gate'));
  await waitFor(() => expect(evaluated).toHaveLength(2));
  expect(evaluated[1]?.body).toEqual({
    ...{ baseline: 'release', candidate_run_id: RUN, policy: 'strict', candidate_agent: 'beta' },
  });
});

test('the built-in policy is described and sends no name', async () => {
  const user = open();
  await user.selectOptions(await screen.findByLabelText('Policy'), 'built-in');
  await screen.findByText(/^Built-in: /);
  await user.click(button('Run gate'));
  await waitFor(() => expect(evaluated[0]?.body).toEqual({ baseline: 'default', candidate_run_id: RUN }));
});

test('a double press decides once', async () => {
  const { reply, release } = heldBack(DECISION);
  evaluated = server.on(routes.gates.evaluate, reply);
  open();
  await screen.findByRole('button', { name: 'Run gate' });
  pressTwice('Run gate');
  release();
  await screen.findByText(/by policy/);
  expect(evaluated).toHaveLength(1);
});

test('a gate that cannot decide shows why, below the form', async () => {
  server.on(routes.gates.evaluate, () => problem('not_found', 'The policy "strict" does not exist.'));
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Run gate' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The policy "strict" does not exist.');
  expect(alert.closest('form')).not.toBeNull();
});

test('without a baseline there is no gate, but the next step', async () => {
  server.on(routes.baselines.list, page([]));
  open();
  await screen.findByText('No baseline of sums, input set main, yet');
  expect(screen.queryByRole('button', { name: 'Run gate' })).toBeNull();
  expect(button('Accept')).toBeTruthy();
});

test('a running run has neither gate nor acceptance', async () => {
  server.on(routes.runs.get, runOf({ status: 'running', finished_at: null }));
  open();
  await screen.findByText('A gate needs a completed run');
  expect(screen.queryByRole('button', { name: /Run gate|Accept/ })).toBeNull();
});

test('a viewer sees the decisions and no form', async () => {
  server.on(
    routes.gates.list,
    page([{ ...DECISION, notes: ['missing_dimension:cost'], detectable: { correctness: 0.05 } }]),
  );
  open('viewer');
  const row = await screen.findByRole('row', { name: /fail/ });
  expect(row.textContent).toContain('correctness: a loss of 0.050 or more would have been significant');
  expect(screen.queryByRole('button', { name: /Run gate|Accept/ })).toBeNull();
});

test('a new baseline is set without a question, and replaces nothing', async () => {
  server.on(routes.baselines.list, page([]));
  const set = server.on(routes.baselines.set, baselineOf('default', { run_id: RUN }));
  const user = open();
  await user.click(await enabledButton('Accept'));
  await screen.findByText('Baseline default set to this run.');
  expect(set.map(({ params, body }) => [params.name, body])).toEqual([
    ['default', { run_id: RUN, replaces: null }],
  ]);
});

test('the run of a baseline is named before it is replaced, and only that one is', async () => {
  const set = server.on(routes.baselines.set, baselineOf('default', { run_id: RUN }));
  const user = open();
  await user.click(await enabledButton('Accept'));
  const dialog = await screen.findByRole('dialog', { name: 'Replace the baseline default of sums / main?' });
  await waitFor(() => expect(dialog.textContent).toContain('accepted'));
  expect(set).toHaveLength(0);
  await user.click(button('Replace'));
  await screen.findByText('Baseline default set to this run.');
  expect(set[0]?.body).toEqual({ run_id: RUN, replaces: id(101) });
});

test('a baseline that was replaced meanwhile stays, and the conflict is shown in the dialog', async () => {
  server.on(routes.baselines.set, () => problem('conflict', 'The baseline names another run by now.'));
  const user = open();
  await user.click(await enabledButton('Accept'));
  const dialog = await screen.findByRole('dialog');
  await user.click(button('Replace'));
  await waitFor(() => expect(dialog.textContent).toContain('The baseline names another run by now.'));
});

test('a name that no baseline can have is not sent', async () => {
  const set = server.on(routes.baselines.set, baselineOf('x'));
  const user = open();
  await user.type(await screen.findByLabelText('Name of the baseline'), ' !');
  await user.click(button('Accept'));
  expect(set).toHaveLength(0);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a run that was served kept replies is not offered as a baseline', async () => {
  server.on(routes.runs.get, ({ params }) =>
    runOf({ id: params.run_id ?? '', ...(params.run_id === RUN && { model_calls: 'cache' }) }),
  );
  open();
  await screen.findByText('A run whose models were served kept replies cannot be a baseline.');
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
});
