import {
  type DeploymentSpec,
  deployments,
  type In,
  modelAliases,
  providerAccounts,
  tools,
} from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator({ OPERATOR_UNLOCK: '127.0.0.0/8' });
const { workspaceId: workspace_id } = fixture;
const actor = 'tests';

type AccountSpec = In<typeof providerAccounts.create>['spec'];
type ToolSpec = In<typeof tools.create>['spec'];

const account = (name: string, changes: Partial<AccountSpec> = {}): AccountSpec => ({
  name,
  provider_key: 'openai',
  credential_reference: 'workspace-secret://OPENAI',
  ...changes,
});
const local = (name: string, base_url = 'http://127.0.0.1:11434/v1'): AccountSpec => ({
  name,
  provider_key: 'openai_compatible',
  base_url,
});
const createAccount = (spec: AccountSpec) =>
  fixture.bus.call(providerAccounts.create, { workspace_id, spec, actor });
const createAlias = (name: string, provider_account_id: string) =>
  fixture.bus.call(modelAliases.create, {
    workspace_id,
    spec: { name, provider_account_id, model: 'm' },
    actor,
  });
const reading = (
  name: string,
  primitive = 'read_file',
  args: Record<string, unknown> = { path: 'a' },
): ToolSpec => ({
  name,
  tool_kind: 'primitive',
  lifecycle_status: 'active',
  definition: { implementation: { mode: 'delegate', primitive, args } },
});
const createTool = (spec: ToolSpec) => fixture.bus.call(tools.create, { workspace_id, spec, actor });
const deploy = (spec: DeploymentSpec) => fixture.bus.call(deployments.create, { workspace_id, spec, actor });
const archive = (deployment_id: string) =>
  fixture.bus.call(deployments.archive, { workspace_id, deployment_id });
const problems = (code: string, ...fields: string[]) => ({
  code: 'invalid_input',
  details: { errors: fields.map((field) => expect.objectContaining({ code, field })) },
});

describe('provider accounts', () => {
  test('accounts are stored under one spelling of their provider, and revised by their differences', async () => {
    const spec = account('spelt', { provider_key: 'gemini' });
    const made = await createAccount(spec);
    expect(made).toMatchObject({ provider_key: 'google', credential_reference: 'workspace-secret://OPENAI' });
    const update = (next: AccountSpec) =>
      fixture.bus.call(providerAccounts.update, {
        workspace_id,
        provider_account_id: made.id,
        spec: next,
        actor,
      });
    expect((await update(spec)).applied).toBe('unchanged');
    expect(await update({ ...spec, limits: { max_concurrency: 3 } })).toMatchObject({
      applied: 'revised',
      provider_account: { id: made.id, limits: { max_concurrency: 3 } },
    });
  });

  test('accounts have names and ids of their own', async () => {
    const id = newId();
    const create = (name: string) =>
      fixture.bus.call(providerAccounts.create, { workspace_id, id, spec: account(name), actor });
    expect(await create('own')).toMatchObject({ id });
    await expect(create('other')).rejects.toMatchObject({ code: 'conflict' });
    await expect(createAccount(account('own'))).rejects.toMatchObject({ code: 'conflict' });
    const found = await fixture.bus.call(providerAccounts.list, { workspace_id, name: 'own' });
    expect(found.items.map((item) => item.id)).toEqual([id]);
    const stranger = { workspace_id: newId(), provider_account_id: id };
    await expect(fixture.bus.call(providerAccounts.get, stranger)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(fixture.bus.call(providerAccounts.remove, stranger)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test.each<[string, AccountSpec, string, string]>([
    [
      'a key in place of a reference',
      account('x', { credential_reference: 'sk-123' }),
      'wrong_reference',
      'credential_reference',
    ],
    [
      'a placeholder of tools',
      account('x', { credential_reference: '${secrets.K}' }),
      'wrong_reference',
      'credential_reference',
    ],
    [
      'the environment, which is not allowed here',
      account('x', { credential_reference: 'env://KEY' }),
      'env_reference_forbidden',
      'credential_reference',
    ],
    [
      'no address of what is only compatible',
      account('x', { provider_key: 'custom' }),
      'required',
      'base_url',
    ],
    ['a plain address outside', local('x', 'http://8.8.8.8/v1'), 'invalid_url', 'base_url'],
    ['an address that is not unlocked', local('x', 'https://10.0.0.1/v1'), 'invalid_url', 'base_url'],
    [
      'a key that would go to a public host over plain http',
      account('x', { base_url: 'http://models.example.com/v1' }),
      'secret_over_http',
      'base_url',
    ],
    ['a query in its address', local('x', 'https://models.example.com/v1?k=1'), 'invalid_url', 'base_url'],
  ])('accounts are not stored with %s', async (_what, spec, code, field) => {
    await expect(createAccount(spec)).rejects.toMatchObject(problems(code, field));
  });

  test('accounts need a credential unless they are only compatible', async () => {
    await expect(createAccount({ name: 'x', provider_key: 'anthropic' })).rejects.toMatchObject(
      problems('required', 'credential_reference'),
    );
    expect(await createAccount(local('ollama'))).toMatchObject({ base_url: 'http://127.0.0.1:11434/v1' });
  });

  test('accounts with a key may use plain http to an unlocked address, and to a public name only without a key', async () => {
    const base_url = 'http://127.0.0.1:8080/v1';
    expect(await createAccount(account('proxied', { base_url }))).toMatchObject({ base_url });
    const plain = 'http://models.example.com/v1';
    const keyless = await createAccount(local('keyless', plain));
    const update = { ...local('keyless', plain), credential_reference: 'workspace-secret://OPENAI' };
    await expect(
      fixture.bus.call(providerAccounts.update, {
        workspace_id,
        provider_account_id: keyless.id,
        spec: update,
        actor,
      }),
    ).rejects.toMatchObject(problems('secret_over_http', 'base_url'));
  });

  test('accounts have prices of their own provider only, each model once', async () => {
    const rate = { input_cost_per_million_tokens: 1, output_cost_per_million_tokens: 2 };
    const row = (provider_key: string, provider_model_id: string) => ({
      provider_key,
      provider_model_id,
      ...rate,
    });
    const models = [row('openai', 'a'), row('xai', 'b'), row('openai', 'a')];
    await expect(createAccount(account('priced', { pricing: { models } }))).rejects.toMatchObject({
      code: 'invalid_input',
      details: {
        errors: [
          { code: 'contradiction', field: 'pricing.models.1.provider_key' },
          { code: 'not_unique', field: 'pricing.models.2.provider_model_id' },
        ],
      },
    });
  });

  test('accounts are kept while an alias or an active deployment uses them', async () => {
    const { id } = await createAccount(local('used'));
    const remove = () => fixture.bus.call(providerAccounts.remove, { workspace_id, provider_account_id: id });
    const alias = await createAlias('of-used', id);
    const direct = await deploy({
      name: 'direct',
      kind: 'model',
      config: { provider_account_id: id, model: 'm' },
    });
    await expect(remove()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('direct'),
      details: { model_aliases: ['of-used'], deployments: ['direct'] },
    });
    await archive(direct.id);
    await fixture.bus.call(modelAliases.remove, { workspace_id, model_alias_id: alias.id });
    await remove();
    await expect(remove()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('accounts are not removed while a deployment that uses them is created', async () => {
    const allocateAll = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const { id } = await createAccount(local(`race-${n}`));
        const config = { provider_account_id: id, model: 'm' };
        const [made, removed] = await Promise.allSettled([
          deploy({ name: `race-${n}`, kind: 'model', config }),
          fixture.bus.call(providerAccounts.remove, { workspace_id, provider_account_id: id }),
        ]);
        return [made.status, removed.status];
      }),
    );
    for (const round of allocateAll) expect([...round].sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('model aliases', () => {
  test('aliases name a model of an existing account, and keep their name while deployments use it', async () => {
    await expect(createAlias('nowhere', newId())).rejects.toMatchObject({ code: 'not_found' });
    const { id: provider_account_id } = await createAccount(local('aliased'));
    const { id: model_alias_id } = await createAlias('fast', provider_account_id);
    await expect(createAlias('fast', provider_account_id)).rejects.toMatchObject({ code: 'conflict' });
    const user = await deploy({ name: 'by alias', kind: 'model', config: { model_alias: 'fast' } });
    const update = (name: string, model: string) =>
      fixture.bus.call(modelAliases.update, {
        workspace_id,
        model_alias_id,
        spec: { name, provider_account_id, model },
        actor,
      });
    const remove = () => fixture.bus.call(modelAliases.remove, { workspace_id, model_alias_id });
    expect((await update('fast', 'm')).applied).toBe('unchanged');
    expect(await update('fast', 'n')).toMatchObject({ applied: 'revised', model_alias: { model: 'n' } });
    await expect(update('faster', 'n')).rejects.toMatchObject({ details: { deployments: ['by alias'] } });
    await expect(remove()).rejects.toMatchObject({ details: { deployments: ['by alias'] } });
    await archive(user.id);
    expect((await update('faster', 'n')).applied).toBe('revised');
    await remove();
  });
});

describe('workspace tools', () => {
  test('the rules of workspace tools apply to each tool and to all together', async () => {
    await expect(createTool(reading('exec'))).rejects.toMatchObject(problems('reserved_name', 'name'));
    await expect(createTool(reading('lost', 'nothing'))).rejects.toMatchObject(
      problems('unknown_reference', 'definition.implementation.primitive'),
    );
    const low = await createTool(reading('low'));
    await createTool(reading('high', 'low', {}));
    await expect(createTool(reading('high'))).rejects.toMatchObject({ code: 'conflict' });
    const update = (spec: ToolSpec) =>
      fixture.bus.call(tools.update, { workspace_id, tool_id: low.id, spec, actor });
    await expect(update(reading('low', 'high', {}))).rejects.toMatchObject(
      problems('delegation_cycle', 'definition.implementation.primitive'),
    );
    await expect(update(reading('lower'))).rejects.toMatchObject({ details: { tools: ['high'] } });
    expect((await update(reading('low'))).applied).toBe('unchanged');
    expect((await update({ ...reading('low'), lifecycle_status: 'disabled' })).applied).toBe('revised');
    await expect(createTool(reading('higher', 'low', {}))).rejects.toMatchObject(
      problems('unknown_reference', 'definition.implementation.primitive'),
    );
  });

  test('tools that are saved at the same time form no cycle', async () => {
    const ids = await Promise.all(
      ['left', 'right'].map(async (name) => (await createTool(reading(name))).id),
    );
    const [left = '', right = ''] = ids;
    const point = (tool_id: string, name: string, at: string) =>
      fixture.bus.call(tools.update, { workspace_id, tool_id, spec: reading(name, at, {}), actor });
    const ends = await Promise.allSettled([point(left, 'left', 'right'), point(right, 'right', 'left')]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('tools are kept while a tool or an active deployment uses them, by name or by id', async () => {
    const { id } = await createTool(reading('inner'));
    const outer = await createTool(reading('outer', 'inner', {}));
    const { id: provider_account_id } = await createAccount(local('tooled'));
    const config = { provider_account_id, model: 'm', tools: [id] };
    const user = await deploy({ name: 'tool user', kind: 'model', config });
    const remove = (tool_id: string) => fixture.bus.call(tools.remove, { workspace_id, tool_id });
    await expect(remove(id)).rejects.toMatchObject({
      code: 'conflict',
      details: { deployments: ['tool user'], tools: ['outer'] },
    });
    await remove(outer.id);
    await fixture.bus.call(deployments.update, {
      workspace_id,
      deployment_id: user.id,
      spec: { name: 'tool user', kind: 'model', config: { ...config, tools: [] } },
      actor,
    });
    await remove(id);
    const missing = { ...config, tools: [id] };
    await expect(deploy({ name: 'late', kind: 'model', config: missing })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('deployments', () => {
  test.each<[string, DeploymentSpec, string, string]>([
    [
      'an endpoint at a private address',
      { name: 'e', kind: 'endpoint', config: { url: 'https://10.0.0.1/solve' } },
      'invalid_url',
      'config.url',
    ],
    [
      'an endpoint that would receive a secret over plain http at a public host',
      {
        name: 'e',
        kind: 'endpoint',
        config: {
          url: 'http://agents.example.com/solve?mode=a',
          credential_reference: 'workspace-secret://K',
        },
      },
      'secret_over_http',
      'config.url',
    ],
    [
      'an endpoint with a key in place of a reference',
      { name: 'e', kind: 'endpoint', config: { url: 'https://a.example/', credential_reference: 'key' } },
      'wrong_reference',
      'config.credential_reference',
    ],
    [
      'two kinds of credentials',
      {
        name: 'e',
        kind: 'endpoint',
        config: {
          url: 'https://a.example/',
          headers: { authorization: 'x' },
          credential_reference: 'workspace-secret://K',
        },
      },
      'contradiction',
      'config.headers',
    ],
  ])('deployments are refused as %s', async (_what, spec, code, field) => {
    await expect(deploy(spec)).rejects.toMatchObject(problems(code, field));
  });

  test('deployments of endpoints may receive a secret over plain http at an unlocked address', async () => {
    const config = { url: 'http://127.0.0.1:9/solve', credential_reference: 'workspace-secret://K' };
    expect(await deploy({ name: 'local endpoint', kind: 'endpoint', config })).toMatchObject({ config });
  });

  test('deployments of models name an alias or an account that exists', async () => {
    await expect(deploy({ name: 'm', kind: 'model', config: { model_alias: 'none' } })).rejects.toMatchObject(
      {
        code: 'not_found',
        details: { errors: [{ field: 'config.model_alias' }] },
      },
    );
    const config = { provider_account_id: newId(), model: 'm' };
    await expect(deploy({ name: 'm', kind: 'model', config })).rejects.toMatchObject({
      code: 'not_found',
      details: { errors: [{ field: 'config.provider_account_id' }] },
    });
    await expect(deploy({ name: 'm', kind: 'model', config: { model: 'm' } })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('endpoints may have a URL with a query, and an unlocked address', async () => {
    const spec: DeploymentSpec = {
      name: 'queried',
      kind: 'endpoint',
      config: { url: 'http://127.0.0.1:9/solve?v=1' },
    };
    expect(await deploy(spec)).toMatchObject({
      kind: 'endpoint',
      config: { url: 'http://127.0.0.1:9/solve?v=1' },
    });
  });
});
