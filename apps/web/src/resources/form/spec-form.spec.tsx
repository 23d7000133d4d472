import { DeploymentSpec, routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { parse } from 'yaml';
import { heldBack, problem, type SentRequest } from '../../testing/fake-server.js';
import { deploymentOf, id, page } from '../../testing/fixtures.js';
import { button, field, openApp, pressTwice, server } from '../../testing/open-app.js';
import { ACCOUNT, serveChoices } from '../../testing/resource-fixtures.js';

const SPEC = { name: 'mine', kind: 'scripted', config: { steps: [], stop_on_error: false } };

let created: readonly SentRequest[];

beforeEach(() => {
  server.on(routes.deployments.list, page([deploymentOf(10, 'alpha')]));
  created = server.on(routes.deployments.create, deploymentOf(11, 'mine'));
  serveChoices();
});

async function openForm() {
  const user = openApp('/deployments');
  await screen.findByRole('rowheader', { name: 'alpha' });
  await user.click(button('New deployment'));
  return user;
}

function tab(name: string): HTMLElement {
  return screen.getByRole('tab', { name });
}

function write(spec: string): void {
  fireEvent.change(field('Spec'), { target: { value: spec } });
}

test('a spec in JSON is created, the dialog closes, and the list is read again', async () => {
  const user = await openForm();
  write(JSON.stringify(SPEC));
  server.on(routes.deployments.list, page([deploymentOf(10, 'alpha'), deploymentOf(11, 'mine')]));
  await user.click(button('Create'));
  await screen.findByRole('rowheader', { name: 'mine' });
  expect(created.map(({ body }) => body)).toEqual([SPEC]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a spec in YAML is the same request', async () => {
  const user = await openForm();
  write('name: mine\nkind: scripted\nconfig:\n  steps: []\n');
  await user.click(button('Create'));
  await waitFor(() => expect(created.map(({ body }) => body)).toEqual([SPEC]));
});

test('the problems of a spec are at its field, by member, and nothing is sent', async () => {
  const user = await openForm();
  write('{"name": "", "kind": "scripted", "config": {"steps": 1}}');
  await user.click(button('Create'));
  await user.click(tab('YAML'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(/config\.steps: /);
  expect(alert.textContent).toMatch(/name: /);
  expect(field('Spec').getAttribute('aria-describedby')).toContain(alert.id);
  expect(created).toHaveLength(0);
});

test('an unknown model alias is reported beside a member of another type', async () => {
  const names = server.on(routes.modelAliases.list, page([]));
  const user = await openForm();
  const models = { main: 'fst', small: 'fst' };
  const config = { preset: 'codex', instructions: 3, models };
  write(
    JSON.stringify({ name: 'mine', kind: 'program', config, variants: { b: { models: { main: 'slow' } } } }),
  );
  await user.click(button('Create'));
  await user.click(tab('YAML'));
  await screen.findByText('config.models.main: names no model alias');
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toMatch(/config\.instructions: /);
  expect(alert.textContent).toContain('config.models.small: names no model alias');
  expect(alert.textContent).toContain('variants.b.models.main: names no model alias');
  expect(names.flatMap(({ query }) => query.name ?? []).sort()).toEqual(['fst', 'slow']);
  expect(created).toHaveLength(0);
});

test('a text that is neither JSON nor YAML is a problem of the field', async () => {
  const user = await openForm();
  write('{"name": "a" "b"}');
  await user.click(button('Create'));
  await user.click(tab('YAML'));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Invalid JSON: /);
  expect(created).toHaveLength(0);
});

test('a template replaces the spec', async () => {
  const user = await openForm();
  expect(parse(field('Spec').value)).toMatchObject({ kind: 'model' });
  await user.selectOptions(field('Template'), 'endpoint');
  expect(parse(field('Spec').value)).toMatchObject({ kind: 'endpoint' });
});

test('a double press creates one, and a repetition after a failure has the same idempotency key', async () => {
  const { reply, release } = heldBack(problem('conflict', 'The name is taken.'));
  created = server.on(routes.deployments.create, reply);
  const user = await openForm();
  write(JSON.stringify(SPEC));
  pressTwice('Create');
  release();
  expect((await screen.findByRole('alert')).textContent).toContain('The name is taken.');
  expect(created).toHaveLength(1);
  created = server.on(routes.deployments.create, deploymentOf(11, 'mine'));
  await user.click(button('Create'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(created).toHaveLength(1);
});

test('a form takes no text while it is sent, as it closes then', async () => {
  const { reply, release } = heldBack(deploymentOf(11, 'mine'));
  server.on(routes.deployments.create, reply);
  const user = await openForm();
  write(JSON.stringify(SPEC));
  await user.click(button('Create'));
  await waitFor(() => expect(field('Spec').readOnly).toBe(true));
  expect(field('Name').readOnly).toBe(true);
  expect(field('Template').disabled).toBe(true);
  release();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('warnings of the server are shown before the dialog closes', async () => {
  const warnings = [{ code: 'secret_unbound', message: 'The secret KEY has no hosts.' }];
  server.on(routes.deployments.create, { ...deploymentOf(11, 'mine'), warnings });
  const user = await openForm();
  write(JSON.stringify(SPEC));
  await user.click(button('Create'));
  await screen.findByText('Saved with a warning:');
  expect(screen.getByText('secret_unbound: The secret KEY has no hosts.')).toBeTruthy();
  await user.click(button('Close'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an edit starts from the stored spec and replaces it', async () => {
  const updated = server.on(routes.deployments.update, {
    ...deploymentOf(10, 'alpha', { revision: 2 }),
    applied: 'revised',
  });
  const user = openApp('/deployments');
  await user.click(await screen.findByRole('button', { name: 'Edit alpha' }));
  expect(parse(field('Spec').value)).toEqual({ name: 'alpha', kind: 'scripted', config: { steps: [] } });
  write(JSON.stringify({ ...SPEC, name: 'alpha' }));
  await user.click(button('Save'));
  await waitFor(() => expect(updated.map(({ params }) => params.deployment_id)).toEqual([id(10)]));
});

test('a viewer reads a spec and changes nothing', async () => {
  const user = openApp('/deployments', { role: 'viewer' });
  await screen.findByText('Read only: a member of the workspace may change deployments.');
  await user.click(await screen.findByRole('button', { name: 'Show alpha' }));
  expect(field('Spec').readOnly).toBe(true);
  expect(screen.queryByRole('button', { name: /Save|Create|Archive|New/ })).toBeNull();
});

test('an archived deployment is confirmed and leaves the list', async () => {
  const archived = server.on(routes.deployments.archive, () => new Response(null, { status: 204 }));
  const user = openApp('/deployments');
  await user.click(await screen.findByRole('button', { name: 'Archive alpha' }));
  expect(screen.getByRole('dialog', { name: 'Archive the deployment alpha?' })).toBeTruthy();
  server.on(routes.deployments.list, page([]));
  await user.click(button('Archive'));
  await screen.findByText('No deployments yet');
  expect(archived).toHaveLength(1);
  expect(screen.getByText('alpha archived')).toBeTruthy();
});

test('an API key is sent apart from the spec and never shown', async () => {
  server.on(routes.providerAccounts.list, page([]));
  server.on(routes.modelAliases.list, page([]));
  const accounts = server.on(routes.providerAccounts.create, ACCOUNT);
  const user = openApp('/models');
  await user.click(await screen.findByRole('button', { name: 'New provider account' }));
  await user.type(field('API key'), 'key-of-a-test');
  expect(field('API key').type).toBe('password');
  await user.click(button('Create'));
  await waitFor(() => expect(accounts).toHaveLength(1));
  expect(accounts[0]?.body).toEqual({ name: 'main', provider_key: 'anthropic', api_key: 'key-of-a-test' });
});

test('the test of a provider account shows how long the model took, or what failed', async () => {
  server.on(routes.providerAccounts.list, page([ACCOUNT]));
  server.on(routes.modelAliases.list, page([]));
  const report = { ok: true, model: 'm', response_model: 'm', latency_ms: 1_400, error: null };
  server.on(routes.providerAccounts.test, report);
  const user = openApp('/models');
  await user.click(await screen.findByRole('button', { name: 'Test main' }));
  await screen.findByText('OK, 1.4 s');
  const error = { class: 'auth', message: 'The key is not valid.' };
  server.on(routes.providerAccounts.test, { ...report, ok: false, error });
  await user.click(button('Test main'));
  await screen.findByText('The key is not valid.');
  expect(screen.queryByText('OK, 1.4 s')).toBeNull();
});

test('a deployment keeps its variants when another member of it is changed', async () => {
  const variants = { bare: {}, skill: { steps: [{ message: 'b' }] } };
  const deployment = deploymentOf(10, 'alpha', { variants, baseline: 'bare' });
  server.on(routes.deployments.list, page([deployment]));
  const updated = server.on(routes.deployments.update, { ...deployment, applied: 'revised' });
  const user = openApp('/deployments');
  const row = await screen.findByRole('row', { name: /^alpha/ });
  expect(row.textContent).toContain('bare (baseline), skill');
  await user.click(button('Edit alpha'));
  const spec = parse(field('Spec').value);
  write(JSON.stringify({ ...spec, name: 'renamed' }));
  await user.click(button('Save'));
  await waitFor(() => expect(updated).toHaveLength(1));
  expect(updated[0]?.body).toMatchObject({ name: 'renamed', variants, baseline: 'bare' });
});

test('every template of a deployment is a spec that the server takes', async () => {
  await openForm();
  const names = [...field('Template').querySelectorAll('option')].map(({ value }) => value);
  expect(names).toContain('coding agent');
  for (const name of names) {
    fireEvent.change(field('Template'), { target: { value: name } });
    const spec = parse(field('Spec').value);
    expect(DeploymentSpec.safeParse(spec).error?.issues).toBeUndefined();
  }
});

test('a workspace without deployments shows the way to the first one', async () => {
  server.on(routes.deployments.list, page([]));
  openApp('/deployments');
  await screen.findByText('No deployments yet');
  expect(screen.getByRole('link', { name: 'model alias' }).getAttribute('href')).toBe('/models');
});
