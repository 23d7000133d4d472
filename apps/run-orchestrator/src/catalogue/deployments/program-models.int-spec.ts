import { deployments, modelAliases, providerAccounts } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator({ OPERATOR_UNLOCK: '127.0.0.0/8' });
const { workspaceId: workspace_id } = fixture;
const actor = 'tests';

const createAccount = (name: string) =>
  fixture.bus.call(providerAccounts.create, {
    workspace_id,
    spec: { name, provider_key: 'openai_compatible', base_url: 'http://127.0.0.1:11434/v1' },
    actor,
  });
const createAlias = (name: string, provider_account_id: string) =>
  fixture.bus.call(modelAliases.create, {
    workspace_id,
    spec: { name, provider_account_id, model: 'm' },
    actor,
  });

describe('The models of a program', () => {
  const coder = (preset: string, models: { main: string; small?: string }) =>
    fixture.bus.call(deployments.create, {
      workspace_id,
      spec: { name: `coder of ${preset}`, kind: 'program', config: { preset, models } },
      actor,
    });

  test('The models of a program stay while an active deployment names them, the second one like the first', async () => {
    const { id: provider_account_id } = await createAccount('for-coders');
    const main = await createAlias('large', provider_account_id);
    const small = await createAlias('little', provider_account_id);
    const user = await coder('pi', { main: 'large', small: 'little' });
    for (const { id: model_alias_id } of [main, small]) {
      const remove = () => fixture.bus.call(modelAliases.remove, { workspace_id, model_alias_id });
      await expect(remove()).rejects.toMatchObject({ details: { deployments: ['coder of pi'] } });
    }
    const rename = fixture.bus.call(modelAliases.update, {
      workspace_id,
      model_alias_id: small.id,
      spec: { name: 'tiny', provider_account_id, model: 'm' },
      actor,
    });
    await expect(rename).rejects.toMatchObject({ details: { deployments: ['coder of pi'] } });
    await fixture.bus.call(deployments.archive, { workspace_id, deployment_id: user.id });
    await fixture.bus.call(modelAliases.remove, { workspace_id, model_alias_id: small.id });
  });

  test('The models that only a variant names stay while its deployment is active, and so does their account', async () => {
    const { id: provider_account_id } = await createAccount('for-variants');
    const aliases = await Promise.all(
      ['base', 'other', 'quick'].map((name) => createAlias(name, provider_account_id)),
    );
    const { id: unused } = await createAlias('unused', provider_account_id);
    const spec = {
      name: 'varied coder',
      kind: 'program' as const,
      config: { preset: 'pi', models: { main: 'base' } },
      variants: { bare: {}, other: { models: { main: 'other' } }, quick: { models: { small: 'quick' } } },
      baseline: 'bare',
    };
    const model = {
      name: 'varied model',
      kind: 'model' as const,
      config: { model_alias: 'base' },
      variants: { bare: {}, other: { model_alias: 'other' } },
      baseline: 'bare',
    };
    const create = (each: typeof spec | typeof model) =>
      fixture.bus.call(deployments.create, { workspace_id, spec: each, actor });
    const [{ id: deployment_id }, { id: varied }] = [await create(spec), await create(model)];
    const remove = (model_alias_id: string) =>
      fixture.bus.call(modelAliases.remove, { workspace_id, model_alias_id });
    const [base, other, quick] = aliases.map(({ id }) => id);
    const both = ['varied coder', 'varied model'];
    for (const [id, users] of [
      [base, both],
      [other, both],
      [quick, ['varied coder']],
    ] as const) {
      const removal = remove(id ?? '');
      await expect(removal).rejects.toMatchObject({ code: 'conflict', details: { deployments: users } });
    }
    await remove(unused);
    const variants = { ...spec.variants, quick: { models: { small: 'base' } } };
    await fixture.bus.call(deployments.update, {
      workspace_id,
      deployment_id,
      spec: { ...spec, variants },
      actor,
    });
    await remove(quick ?? '');
    await fixture.bus.call(deployments.archive, { workspace_id, deployment_id });
    const account = () => fixture.bus.call(providerAccounts.remove, { workspace_id, provider_account_id });
    await expect(remove(other ?? '')).rejects.toMatchObject({ details: { deployments: ['varied model'] } });
    await expect(account()).rejects.toMatchObject({
      code: 'conflict',
      details: { model_aliases: expect.arrayContaining(['base', 'other']) },
    });
    await fixture.bus.call(deployments.archive, { workspace_id, deployment_id: varied });
    for (const id of [base, other]) await remove(id ?? '');
    await account();
  });

  test('The models of a program are refused when the deployment is made, if its coding agent does not have their API', async () => {
    const { id } = await createAccount('no-gemini');
    await createAlias('chat-only', id);
    const refused = coder('gemini-cli', { main: 'chat-only' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(refused).rejects.toMatchObject({
      details: {
        errors: [
          {
            field: 'config.models.main',
            message:
              'gemini-cli uses google, which the provider openai_compatible of its model does not serve: name a model alias of another provider.',
          },
        ],
      },
    });
  });
});
