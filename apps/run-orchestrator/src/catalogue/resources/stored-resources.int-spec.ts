import {
  deployments,
  execution,
  modelAliases,
  profiles,
  providerAccounts,
  tools,
} from '@agentclash/contracts';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { publish, wordPack } from '../../testing/published-pack.js';
import { openStage } from '../../testing/stage.js';

const stage = await openStage();
const { fakes, workspaceId: workspace_id } = stage;
const ws = { workspace_id };
const actor = 'tests';
const gone = { code: 'not_found' };

describe('what a workspace keeps is read as it was written, and is gone once it is removed:', () => {
  test('a runtime profile is read as it was written, and is absent after its removal', async () => {
    const made = await stage.bus.call(profiles.create, { ...ws, spec: { name: 'short', max_iterations: 3 } });
    const request = { ...ws, profile_id: made.id };
    expect(await stage.bus.call(profiles.get, request)).toEqual(made);
    expect((await stage.bus.call(profiles.list, ws)).items).toEqual([made]);
    await stage.bus.call(profiles.remove, request);
    await expect(stage.bus.call(profiles.get, request)).rejects.toMatchObject(gone);
  });

  test('an alias of a model is read as it was written, and is absent after its removal', async () => {
    const spec = {
      name: 'own',
      provider_key: 'openai',
      credential_reference: 'workspace-secret://K',
    } as const;
    const { id: provider_account_id } = await stage.bus.call(providerAccounts.create, { ...ws, spec, actor });
    const alias = { name: 'fast', provider_account_id, model: 'm' };
    const made = await stage.bus.call(modelAliases.create, { ...ws, spec: alias, actor });
    const request = { ...ws, model_alias_id: made.id };
    expect(await stage.bus.call(modelAliases.get, request)).toEqual(made);
    expect((await stage.bus.call(modelAliases.list, ws)).items).toEqual([made]);
    await stage.bus.call(modelAliases.remove, request);
    await expect(stage.bus.call(modelAliases.get, request)).rejects.toMatchObject(gone);
  });

  test('a tool is read as it was written, and is absent after its removal', async () => {
    const spec = {
      name: 'reading',
      tool_kind: 'primitive' as const,
      lifecycle_status: 'active' as const,
      definition: {
        implementation: { mode: 'delegate' as const, primitive: 'read_file', args: { path: 'a' } },
      },
    };
    const made = await stage.bus.call(tools.create, { ...ws, spec, actor });
    const request = { ...ws, tool_id: made.id };
    expect(await stage.bus.call(tools.get, request)).toEqual(made);
    await stage.bus.call(tools.remove, request);
    await expect(stage.bus.call(tools.get, request)).rejects.toMatchObject(gone);
  });

  test('a deployment is read as it was written, and is archived rather than removed', async () => {
    const made = await stage.scripted('agent');
    const request = { ...ws, deployment_id: made.id };
    expect(await stage.bus.call(deployments.get, request)).toMatchObject({ id: made.id, name: 'agent' });
    expect((await stage.bus.call(deployments.list, ws)).items).toMatchObject([{ id: made.id }]);
    await stage.bus.call(deployments.archive, request);
    expect(await stage.bus.call(deployments.get, request)).toMatchObject({ id: made.id, status: 'archived' });
  });
});

test('attempts without a sandbox are dispatched together, on a queue of their own', async () => {
  expect(execution.prompt.subject).not.toBe(execution.execute.subject);
  const pack = fakes.add(publish(wordPack(3, { version: '  execution_mode: prompt_eval\n' })));
  const { id } = await stage.createRun(pack.version.id, [await stage.scripted('prompted')]);
  await waitFor(async () => {
    const ids = (await stage.attempts(id)).map((attempt) => attempt.id);
    return ids.every((attempt) => fakes.jobs.some((job) => job.attempt_id === attempt));
  });
});
