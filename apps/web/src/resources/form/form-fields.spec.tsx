import { type ModelAlias, type ProviderAccount, routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { parse } from 'yaml';
import { heldBack, problem, type SentRequest } from '../../testing/fake-server.js';
import { deploymentOf, page } from '../../testing/fixtures.js';
import { button, field, openApp, server } from '../../testing/open-app.js';
import { ACCOUNT, ALIAS, serveChoices } from '../../testing/resource-fixtures.js';

let created: readonly SentRequest[];

beforeEach(() => {
  server.on(routes.deployments.list, page([deploymentOf(10, 'alpha')]));
  created = server.on(routes.deployments.create, deploymentOf(11, 'mine'));
  serveChoices();
});

async function openDeployment() {
  const user = openApp('/deployments');
  await user.click(await screen.findByRole('button', { name: 'New deployment' }));
  await screen.findByRole('option', { name: 'fast (haiku)' });
  return user;
}

test('a deployment of a model is created from the form, with an alias of the workspace and numbers as numbers', async () => {
  const user = await openDeployment();
  fireEvent.change(field('Name'), { target: { value: 'careful' } });
  await user.selectOptions(field('Model alias'), 'fast (haiku)');
  await user.type(field('Temperature'), '0.5');
  await user.type(field('System prompt'), 'Think twice.');
  await user.click(button('Create'));
  await waitFor(() => expect(created).toHaveLength(1));
  expect(created[0]?.body).toEqual({
    ...{ name: 'careful', kind: 'model' },
    config: {
      ...{ model_alias: 'fast', sampling: { temperature: 0.5 } },
      policy_spec: { system_prompt: 'Think twice.' },
    },
  });
});

test('a choice is a disabled selection until its choices are known, never a text in between', async () => {
  const { reply, release } = heldBack(page<ModelAlias>([]));
  server.on(routes.modelAliases.list, reply);
  const user = openApp('/deployments');
  await user.click(await screen.findByRole('button', { name: 'New deployment' }));
  const alias = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Model alias' });
  expect(alias.tagName).toBe('SELECT');
  expect(alias.disabled).toBe(true);
  release();
  await waitFor(() => expect(alias.disabled).toBe(false));
  expect(alias.isConnected).toBe(true);
});

test('what was just created can be chosen in the next form', async () => {
  server.on(routes.providerAccounts.list, page<ProviderAccount>([]));
  server.on(routes.providerAccounts.create, ACCOUNT);
  const user = openApp('/models');
  await user.click(await screen.findByRole('button', { name: 'New model alias' }));
  await waitFor(() => expect(field('Provider account').disabled).toBe(false));
  await user.click(button('Cancel'));
  await user.click(button('New provider account'));
  fireEvent.change(field('Name'), { target: { value: 'main' } });
  server.on(routes.providerAccounts.list, page([ACCOUNT]));
  await user.click(button('Create'));
  await screen.findByRole('rowheader', { name: 'main' });
  await user.click(button('New model alias'));
  await screen.findByRole('option', { name: 'main (anthropic)' });
});

test('the form and the YAML show the same: comments and members without a field stay', async () => {
  await openDeployment();
  const text = '# ours\nname: mine\nkind: model\nconfig:\n  model_alias: fast # cheap\n  tools: []\n';
  fireEvent.change(field('Spec'), { target: { value: text } });
  expect(field('Name').value).toBe('mine');
  fireEvent.change(field('Name'), { target: { value: 'yours' } });
  expect(field('Spec').value).toBe(text.replace('mine', 'yours'));
  fireEvent.change(field('Spec'), { target: { value: 'name: a: b' } });
  await screen.findByText(/The YAML cannot be read/);
  expect(screen.queryByLabelText('Name')).toBeNull();
});

test('another kind removes the settings of the one before it, so that its own fields make a whole spec', async () => {
  const user = await openDeployment();
  fireEvent.change(field('Name'), { target: { value: 'remote' } });
  await user.selectOptions(field('Kind'), 'endpoint');
  await user.type(field('URL'), 'https://agent.test/');
  await user.click(button('Create'));
  await waitFor(() => expect(created).toHaveLength(1));
  expect(created[0]?.body).toEqual({
    name: 'remote',
    kind: 'endpoint',
    config: { url: 'https://agent.test/' },
  });
});

test('problems are beside their fields, those of the server too, and nothing is sent for ours', async () => {
  const user = await openDeployment();
  fireEvent.change(field('Name'), { target: { value: '' } });
  await user.type(field('Temperature'), '9');
  await user.click(button('Create'));
  await waitFor(() => expect(field('Name').getAttribute('aria-invalid')).toBe('true'));
  expect(field('Temperature').getAttribute('aria-invalid')).toBe('true');
  expect(field('Model alias').getAttribute('aria-invalid')).toBeNull();
  expect(created).toHaveLength(0);
  fireEvent.change(field('Temperature'), { target: { value: '1' } });
  fireEvent.change(field('Name'), { target: { value: 'mine' } });
  expect(field('Name').getAttribute('aria-invalid')).toBeNull();
  const errors = [{ field: 'config.model_alias', code: 'unknown', message: 'There is no alias fast.' }];
  server.on(routes.deployments.create, () => problem('invalid_input', 'The spec has problems.', { errors }));
  await user.click(button('Create'));
  await waitFor(() => expect(field('Model alias').getAttribute('aria-invalid')).toBe('true'));
});

test('a new deployment begins with the first alias of the workspace, in each template that calls a model', async () => {
  server.on(routes.modelAliases.list, page([{ ...ALIAS, name: 'main-model' }, ALIAS]));
  const user = openApp('/deployments');
  await user.click(await screen.findByRole('button', { name: 'New deployment' }));
  await waitFor(() => expect(field('Model alias').value).toBe('main-model'));
  await user.selectOptions(field('Template'), 'coding agent');
  expect(field('Model of the program').value).toBe('main-model');
  await user.selectOptions(field('Template'), 'model');
  await user.click(button('Create'));
  await waitFor(() => expect(created).toHaveLength(1));
  expect(created[0]?.body).toMatchObject({ config: { model_alias: 'main-model' } });
});

test('a new deployment in a workspace without aliases has none, and a model is required', async () => {
  server.on(routes.modelAliases.list, page([]));
  const user = openApp('/deployments');
  await user.click(await screen.findByRole('button', { name: 'New deployment' }));
  await screen.findByLabelText('Provider account');
  expect(field('Model alias').value).toBe('');
  await user.click(button('Create'));
  await screen.findByText('is required, or else provider_account_id and model');
  expect(created).toHaveLength(0);
});

test('a problem that the server found is in both tabs, until the spec is changed', async () => {
  const errors = [{ field: 'spec.config.model_alias', code: 'unknown', message: 'There is no alias fast.' }];
  server.on(routes.deployments.create, () => problem('invalid_input', 'The spec has problems.', { errors }));
  const user = await openDeployment();
  await user.click(button('Create'));
  await screen.findByText('config.model_alias: There is no alias fast.');
  expect(field('Model alias').getAttribute('aria-invalid')).toBe('true');
  await user.type(field('Temperature'), '1');
  expect(screen.queryByText(/There is no alias fast/)).toBeNull();
  expect(screen.queryByText(/The spec has problems/)).toBeNull();
  expect(field('Model alias').getAttribute('aria-invalid')).toBeNull();
});

test('a program has the fields of a coding agent or of a command, by what it has', async () => {
  const user = await openDeployment();
  await user.selectOptions(field('Template'), 'coding agent');
  expect(field('Coding agent').value).toBe('codex');
  expect(screen.queryByLabelText('Command')).toBeNull();
  await user.selectOptions(field('Template'), 'program');
  expect(field('Command').value).toBe('python3\n/agent/solve.py');
  fireEvent.change(field('Command'), { target: { value: 'node\nmain.mjs' } });
  expect(parse(field('Spec').value)).toMatchObject({ config: { command: ['node', 'main.mjs'] } });
});

test('the credential of an account is chosen among the secrets by name, and no value is shown', async () => {
  server.on(routes.providerAccounts.list, page([]));
  const accounts = server.on(routes.providerAccounts.create, ACCOUNT);
  const user = openApp('/models');
  await user.click(await screen.findByRole('button', { name: 'New provider account' }));
  await screen.findByRole('option', { name: 'MAIN_KEY' });
  await user.selectOptions(field('Credential'), 'MAIN_KEY');
  await user.selectOptions(field('List prices'), 'of no model');
  await user.type(field('Calls at once'), '4');
  await user.click(button('Create'));
  await waitFor(() => expect(accounts).toHaveLength(1));
  expect(accounts[0]?.body).toEqual({
    ...{ name: 'main', provider_key: 'anthropic', credential_reference: 'workspace-secret://MAIN_KEY' },
    ...{ list_prices: false, limits: { max_concurrency: 4 } },
  });
});

test('a role that may not list secrets writes the reference, and a chosen one out of reach stays', async () => {
  const config = { url: 'https://agent.test/', credential_reference: 'workspace-secret://OTHER' };
  server.on(routes.deployments.list, page([deploymentOf(10, 'alpha', { kind: 'endpoint', config })]));
  const user = openApp('/deployments', { role: 'member' });
  await user.click(await screen.findByRole('button', { name: 'Edit alpha' }));
  expect(field('Credential').value).toBe('workspace-secret://OTHER');
  expect(field('Credential').tagName).toBe('INPUT');
});

test.each([
  ['auth', 'Key refused', 'Enter the key of the account again.'],
  ['rate_limit', 'Rate limit', /Wait a moment/],
  ['egress_blocked', 'Address refused', /An operator/],
  ['invalid_request', 'Request refused', /a model of this name/],
])(
  'the test of an alias calls its model, and a failure of class %s has its next step',
  async (failure, title, step) => {
    const error = { class: failure, message: 'The words of the provider.' };
    const tested = server.on(routes.providerAccounts.test, {
      ...{ ok: false, model: 'haiku', response_model: null, latency_ms: null },
      error,
    });
    const user = openApp('/models');
    await user.click(await screen.findByRole('button', { name: 'Test fast' }));
    await screen.findByText(title);
    expect(screen.getByText(step)).toBeTruthy();
    expect(tested.map(({ params, body }) => [params.provider_account_id, body])).toEqual([
      [ACCOUNT.id, { model: 'haiku' }],
    ]);
  },
);

test('the test of a deployment calls the model of its alias, and a deployment without a model has none', async () => {
  server.on(
    routes.deployments.list,
    page([
      deploymentOf(10, 'alpha'),
      deploymentOf(12, 'brisk', { kind: 'model', config: { model_alias: 'fast' } }),
    ]),
  );
  const report = { ok: true, model: 'haiku', response_model: 'haiku', latency_ms: 1_400, error: null };
  const tested = server.on(routes.providerAccounts.test, report);
  const user = openApp('/deployments');
  await user.click(await screen.findByRole('button', { name: 'Test brisk' }));
  await screen.findByText('OK, 1.4 s');
  expect(tested.map(({ body }) => body)).toEqual([{ model: 'haiku' }]);
  expect(screen.queryByRole('button', { name: 'Test alpha' })).toBeNull();
});
