import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { heldBack, problem, type SentRequest } from '../testing/fake-server.js';
import { agentOf, deploymentOf, id, packOf, page, RUN, runOf } from '../testing/fixtures.js';
import { button, field, heading, openApp, pressTwice, server } from '../testing/open-app.js';

const ALPHA = id(10);
const BETA = id(11);
const VERSION = id(41);
const SET = { name: 'Main', description: null, challenge_key: 'add', case_count: 10 };

/** A run that was started: its screen is the arena. */
const QUEUED = runOf({ status: 'queued' });

let started: readonly SentRequest[];

beforeEach(() => {
  server.on(routes.packs.list, page([packOf(40, 'sums'), packOf(50, 'texts')]));
  server.on(routes.deployments.list, page([deploymentOf(10, 'alpha'), deploymentOf(11, 'beta')]));
  server.on(routes.versions.manifest, {});
  server.on(routes.versions.inputSets, { items: [{ id: id(60), key: 'main', ...SET }] });
  started = server.on(routes.runs.create, runOf());
  server.on(routes.runs.get, QUEUED);
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha')], position: 0 });
  server.on(routes.runs.events, () => new Response(null, { status: 204 }));
});

const bodies = () => started.map(({ body }) => body);

test('a run of the first version is started with the chosen deployments, and then shown', async () => {
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^beta/));
  await user.click(button('Start'));
  await waitFor(() => expect(location.pathname).toBe(`/runs/${RUN}/arena`));
  expect(bodies()).toEqual([{ challenge_pack_version_id: VERSION, deployment_ids: [BETA], repetitions: 1 }]);
});

test('a user who has left the form stays on the other screen when the run has started', async () => {
  const { reply, release } = heldBack(runOf());
  const sent = server.on(routes.runs.create, reply);
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^beta/));
  await user.click(button('Start'));
  await waitFor(() => expect(sent).toHaveLength(1));
  await user.click(screen.getByRole('link', { name: 'Packs' }));
  await heading('Packs');
  release();
  await screen.findByText('nightly started');
  expect(location.pathname).toBe('/packs');
});

test('every option of the form is in the request', async () => {
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  await user.selectOptions(field('Pack and version'), id(51));
  await user.type(field('Cases (optional)'), 'one{Enter}two{Enter}one');
  await user.type(field('Name (optional)'), 'monday');
  await user.clear(field('Repetitions'));
  await user.type(field('Repetitions'), '3');
  await user.type(field('Max concurrency (optional)'), '2');
  await user.type(field('Labels (optional)'), 'team=blue{Enter}{Enter}ref = main');
  await user.click(field(/^Share race progress/));
  await user.click(button('Start'));
  await waitFor(() => expect(started).toHaveLength(1));
  expect(started[0]?.body).toEqual({
    challenge_pack_version_id: id(51),
    deployment_ids: [ALPHA],
    repetitions: 3,
    case_keys: ['one', 'two'],
    name: 'monday',
    max_concurrency: 2,
    labels: { team: 'blue', ref: 'main' },
    race_context: true,
  });
});

test('the variants of chosen deployments race unless they are left out', async () => {
  const variants = { bare: {}, skill: { steps: [] }, docs: {} };
  const alpha = deploymentOf(10, 'alpha', { variants, baseline: 'bare' });
  server.on(routes.deployments.list, page([alpha, deploymentOf(11, 'beta')]));
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^beta/));
  expect(screen.queryByLabelText(/^skill/)).toBeNull();
  await user.click(field(/^alpha/));
  expect(field(/^bare.*baseline/).checked).toBe(true);
  await user.click(field(/^docs/));
  await user.click(button('Start'));
  await waitFor(() => expect(started).toHaveLength(1));
  expect(started[0]?.body).toEqual({
    challenge_pack_version_id: VERSION,
    deployment_ids: [BETA, ALPHA],
    variants: ['bare', 'skill'],
    repetitions: 1,
  });
});

test('a run without its baseline has a note, and one without any variant cannot be started', async () => {
  const alpha = deploymentOf(10, 'alpha', { variants: { bare: {}, skill: {} }, baseline: 'bare' });
  server.on(routes.deployments.list, page([alpha]));
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  expect(screen.queryByText(/Without the baseline/)).toBeNull();
  await user.click(field(/^bare/));
  expect(screen.getByText('Without the baseline no variant is compared.')).toBeTruthy();
  expect(button('Start').disabled).toBe(false);
  await user.click(field(/^skill/));
  expect(button('Start').disabled).toBe(true);
});

test('a run without a deployment cannot be started', async () => {
  const user = openApp('/runs/new');
  const alpha = await screen.findByLabelText(/^alpha/);
  expect(button('Start').disabled).toBe(true);
  await user.click(alpha);
  expect(button('Start').disabled).toBe(false);
  await user.click(alpha);
  expect(button('Start').disabled).toBe(true);
});

test('a deployment that cannot run the pack is the last, with the reason, and cannot be chosen', async () => {
  const prompts = packOf(50, 'texts', { execution_mode: 'prompt_eval' });
  server.on(routes.packs.list, page([packOf(40, 'sums'), prompts]));
  const program = deploymentOf(10, 'alpha', { kind: 'program' });
  server.on(routes.deployments.list, page([program, deploymentOf(11, 'beta')]));
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  expect(screen.queryByText(/cannot run/)).toBeNull();
  await user.selectOptions(field('Pack and version'), id(51));
  const names = () =>
    screen
      .getAllByRole('checkbox', { name: /^(alpha|beta)/ })
      .map(({ parentElement }) => parentElement?.textContent);
  expect(names()).toEqual([
    'beta scripted',
    'alpha program cannot run a pack of mode prompt_eval, which has no sandbox to run it in',
  ]);
  // One that was chosen for the other pack can be removed, and not be chosen again.
  await user.click(field(/^alpha/));
  expect(field(/^alpha/).checked).toBe(false);
  expect(field(/^alpha/).disabled).toBe(true);
  expect(field(/^beta/).disabled).toBe(false);
});

test('the default lineup of the pack is chosen, and its missing members are named', async () => {
  server.on(routes.versions.manifest, {
    version: { deployment_defaults: { lineups: { default: ['beta', 'gamma'] }, default_lineup: 'default' } },
  });
  openApp('/runs/new');
  await screen.findByText(/default lineup is chosen/);
  expect(field(/^beta/).checked).toBe(true);
  expect(field(/^alpha/).checked).toBe(false);
  expect(screen.getByText(/Not in this workspace: gamma/)).toBeTruthy();
});

test('problems of labels appear at their field after the first submit only, and nothing is sent', async () => {
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  await user.type(field('Labels (optional)'), 'no separator');
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(button('Start'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Line 1, "no separator", has no "="');
  expect(field('Labels (optional)').getAttribute('aria-invalid')).toBe('true');
  expect(field('Labels (optional)').getAttribute('aria-describedby')).toContain(alert.id);
  expect(started).toHaveLength(0);
  await user.clear(field('Labels (optional)'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a double press starts one run', async () => {
  const { reply, release } = heldBack(runOf());
  started = server.on(routes.runs.create, reply);
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  pressTwice('Start');
  await waitFor(() => expect(started).toHaveLength(1));
  expect(button('Start').getAttribute('aria-busy')).toBe('true');
  release();
  await waitFor(() => expect(location.pathname).toBe(`/runs/${RUN}/arena`));
  expect(started).toHaveLength(1);
});

test('a rejected request shows each field with its problem, and a repetition has the same idempotency key', async () => {
  const errors = [
    { field: 'case_keys[0]', code: 'not_found', message: 'there is no such case' },
    { field: 'limits.run_timeout_seconds', code: 'too_big', message: 'is too long' },
  ];
  started = server.on(routes.runs.create, () =>
    problem('invalid_input', 'The request is not valid.', { errors }),
  );
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  await user.click(button('Start'));
  await screen.findByText('The request is not valid.');
  const [beside, summary] = screen.getAllByRole('alert');
  expect(beside?.textContent).toBe('There is no such case.');
  expect(field('Cases (optional)').getAttribute('aria-describedby')).toContain(beside?.id);
  expect([...(summary?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)).toEqual([
    'limits.run_timeout_seconds is too long',
  ]);
  await user.click(button('Start'));
  await waitFor(() => expect(started).toHaveLength(2));
  await user.type(field('Name (optional)'), 'other');
  await user.click(button('Start'));
  await waitFor(() => expect(started).toHaveLength(3));
  const [first, second, third] = started.map(({ headers }) => headers.get('idempotency-key'));
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('the mode of model calls is in the request, with an explanation of the chosen one', async () => {
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  expect(hintOf('Model calls')).toContain('Every call of a model is made');
  for (const [mode, hint] of [
    ['cache', 'served its kept reply'],
    ['record', 'kept with each attempt'],
  ] as const) {
    await user.selectOptions(field('Model calls'), mode);
    expect(hintOf('Model calls')).toContain(hint);
    expect(screen.queryByRole('button', { name: /^Recorded run/ })).toBeNull();
  }
  await user.click(button('Start'));
  await waitFor(() => expect(started).toHaveLength(1));
  expect(started[0]?.body).toMatchObject({ model_calls: 'record' });
});

const hintOf = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent;

/** The run that is replayed below: of one of two deployments and one of its variants, twice, of one case. */
const RECORDED = runOf({
  ...{ id: id(110), name: 'recorded', model_calls: 'record', repetitions: 2 },
  case_subset: { case_keys: ['peru'], of: 10, failed_in_run_id: null },
});

function serveRecorded() {
  const variants = { bare: {}, skill: { steps: [] } };
  const alpha = deploymentOf(10, 'alpha', { variants, baseline: 'bare' });
  server.on(routes.deployments.list, page([alpha, deploymentOf(11, 'beta')]));
  server.on(routes.runs.get, ({ params }) => (params.run_id === RECORDED.id ? RECORDED : QUEUED));
  const variant = { deployment: 'alpha', name: 'bare', baseline: 'bare' };
  const lane = agentOf(300, 'alpha (bare)', { deployment_id: ALPHA, variant });
  server.on(routes.runs.agents, { items: [lane], position: 0 });
  const others = { name: 'not over', model_calls: 'record', status: 'running', finished_at: null } as const;
  return server.on(routes.runs.list, page([RECORDED, runOf({ id: id(111), ...others })]));
}

const REPLAYED = {
  ...{ challenge_pack_version_id: VERSION, deployment_ids: [ALPHA], variants: ['bare'] },
  ...{ repetitions: 2, case_keys: ['peru'], model_calls: 'replay', replay_from: RECORDED.id },
};

test('a replay is of a recorded run of the pack that has ended, with its agents, cases and repetitions', async () => {
  const listed = serveRecorded();
  const user = openApp('/runs/new');
  await user.selectOptions(await screen.findByLabelText('Model calls'), 'replay');
  await user.click(button('Recorded run: choose a run'));
  const option = await screen.findByRole('button', { name: /^recorded.*recorded$/ });
  expect(listed.at(-1)?.query).toMatchObject({ model_calls: 'record', pack: 'sums' });
  expect(screen.queryByRole('button', { name: /^not over/ })).toBeNull();
  await user.click(option);
  await screen.findByRole('button', { name: 'Recorded run: recorded' });
  await waitFor(() => expect(field('Repetitions').value).toBe('2'));
  expect(field(/^beta/).checked).toBe(false);
  expect(field(/^Share race progress/).disabled).toBe(true);
  await user.click(button('Start'));
  await waitFor(() => expect(bodies()).toEqual([REPLAYED]));
});

test('the address of a replay chooses its recorded run, and a member that was changed stays', async () => {
  serveRecorded();
  const user = openApp(`/runs/new?version=${VERSION}&replay=${RECORDED.id}`);
  await screen.findByRole('button', { name: 'Recorded run: recorded' });
  await waitFor(() => expect(field('Cases (optional)').value).toBe('peru'));
  await user.clear(field('Repetitions'));
  await user.type(field('Repetitions'), '1');
  await user.click(button('Start'));
  await waitFor(() => expect(bodies()).toEqual([{ ...REPLAYED, repetitions: 1 }]));
});

test('the address of a replay without a version chooses that of the recorded run', async () => {
  serveRecorded();
  const ofOther = { ...RECORDED, challenge_pack_version_id: id(51) };
  server.on(routes.runs.get, ({ params }) => (params.run_id === RECORDED.id ? ofOther : QUEUED));
  const user = openApp(`/runs/new?replay=${RECORDED.id}`);
  await screen.findByRole('button', { name: 'Recorded run: recorded' });
  await waitFor(() => expect(field('Pack and version').value).toBe(id(51)));
  await waitFor(() => expect(button('Start').disabled).toBe(false));
  await user.click(button('Start'));
  await waitFor(() => expect(bodies()).toEqual([{ ...REPLAYED, challenge_pack_version_id: id(51) }]));
});

test('a run that is repeated fills the form, until another version is chosen', async () => {
  serveRecorded();
  const ofOther = { ...RECORDED, challenge_pack_version_id: id(51) };
  server.on(routes.runs.get, ({ params }) => (params.run_id === RECORDED.id ? ofOther : QUEUED));
  const user = openApp(`/runs/new?like=${RECORDED.id}`);
  await waitFor(() => expect(field('Cases (optional)').value).toBe('peru'));
  expect(field('Pack and version').value).toBe(id(51));
  expect(field('Model calls').value).toBe('live');
  await user.click(button('Start'));
  const { model_calls: _, replay_from: __, ...live } = REPLAYED;
  await waitFor(() => expect(bodies()).toEqual([{ ...live, challenge_pack_version_id: id(51) }]));
});

test('the failed cases of a run are run by its agents, and not by its chosen cases', async () => {
  serveRecorded();
  const ofOther = { ...RECORDED, challenge_pack_version_id: id(51) };
  server.on(routes.runs.get, ({ params }) => (params.run_id === RECORDED.id ? ofOther : QUEUED));
  const user = openApp(`/runs/new?like=${RECORDED.id}&only_failed=${RECORDED.id}`);
  await waitFor(() => expect(button('Start').disabled).toBe(false));
  expect(button('Failed cases of a run (optional): recorded')).toBeTruthy();
  expect(field('Cases (optional)').value).toBe('');
  await user.click(button('Start'));
  const { model_calls: _, replay_from: __, case_keys: ___, ...live } = REPLAYED;
  const body = { ...live, challenge_pack_version_id: id(51), only_failed_of: RECORDED.id };
  await waitFor(() => expect(bodies()).toEqual([body]));
});

test('another version than that of a repeated run has none of its cases and agents', async () => {
  serveRecorded();
  const user = openApp(`/runs/new?like=${RECORDED.id}`);
  await waitFor(() => expect(field('Cases (optional)').value).toBe('peru'));
  await user.selectOptions(field('Pack and version'), id(51));
  expect(field('Cases (optional)').value).toBe('');
  expect(field(/^alpha/).checked).toBe(false);
});

test('a replay without a recorded run is not sent, and another pack removes the choice', async () => {
  serveRecorded();
  const user = openApp(`/runs/new?version=${VERSION}&replay=${RECORDED.id}`);
  await screen.findByRole('button', { name: 'Recorded run: recorded' });
  await user.selectOptions(field('Pack and version'), id(51));
  const choice = await screen.findByRole('button', { name: 'Recorded run: choose a run' });
  await user.click(field(/^beta/));
  await user.click(button('Start'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Choose the run to replay.');
  expect(choice.getAttribute('aria-describedby')).toContain(alert.id);
  expect(started).toHaveLength(0);
});

test('a recorded run that does not fit is refused beside its field', async () => {
  serveRecorded();
  const detail = 'The run cannot be started: replay_from has no recording of beta.';
  const errors = [{ field: 'replay_from', code: 'not_recorded', message: 'has no recording of beta' }];
  started = server.on(routes.runs.create, () => problem('invalid_input', detail, { errors }));
  const user = openApp(`/runs/new?version=${VERSION}&replay=${RECORDED.id}`);
  const choice = await screen.findByRole('button', { name: 'Recorded run: recorded' });
  await user.click(await screen.findByLabelText(/^beta/));
  await user.click(button('Start'));
  const beside = await screen.findByText('Has no recording of beta.');
  expect(choice.getAttribute('aria-describedby')).toContain(beside.id);
  expect(screen.getByText(detail)).toBeTruthy();
  expect(started[0]?.body).toMatchObject({ deployment_ids: [ALPHA, BETA] });
});

test('one of several input sets must be chosen', async () => {
  const sets = [
    { id: id(60), key: 'small', ...SET, description: 'Ten cases.' },
    { id: id(61), key: 'large', ...SET, case_count: 500 },
  ];
  server.on(routes.versions.inputSets, { items: sets });
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^alpha/));
  await screen.findByText('small: Ten cases.');
  await user.click(button('Start'));
  expect(started).toHaveLength(0);
  await user.selectOptions(field('Input set'), 'large (500 cases)');
  await user.click(button('Start'));
  await waitFor(() => expect(started).toHaveLength(1));
  expect(started[0]?.body).toMatchObject({ challenge_input_set_id: id(61) });
});

test('the address presets the version and the run whose failed cases are run', async () => {
  openApp(`/runs/new?version=${id(51)}&only_failed=${RUN}`);
  await heading('Start a run');
  await screen.findByLabelText(/^alpha/);
  expect(field('Pack and version').value).toBe(id(51));
  await screen.findByRole('button', { name: 'Failed cases of a run (optional): nightly' });
});

test('many deployments can be searched, and chosen ones stay visible', async () => {
  const many = Array.from({ length: 13 }, (_, at) => deploymentOf(70 + at, `agent ${at}`));
  server.on(routes.deployments.list, page(many));
  const user = openApp('/runs/new');
  await user.click(await screen.findByLabelText(/^agent 3/));
  await user.type(field('Search'), 'AGENT 12');
  expect(screen.getAllByRole('checkbox', { name: /^agent/ })).toHaveLength(2);
  expect(field(/^agent 3/).checked).toBe(true);
});

test('a viewer learns which role starts runs', async () => {
  openApp('/runs/new', { role: 'viewer' });
  await screen.findByText('Only a member may start runs.');
  expect(screen.queryByRole('button', { name: 'Start' })).toBeNull();
});
