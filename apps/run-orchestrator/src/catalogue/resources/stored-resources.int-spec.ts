import {
  deployments,
  execution,
  modelAliases,
  profiles,
  providerAccounts,
  tools,
} from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;
const ws = { workspace_id };
const actor = 'tests';
const gone = { code: 'not_found' };

describe('what a workspace keeps is read as it was written, and is gone once it is removed:', () => {
  test('a runtime profile is read as it was written, and is absent after its removal', async () => {
    const made = await fixture.bus.call(profiles.create, {
      ...ws,
      spec: { name: 'short', max_iterations: 3 },
    });
    const request = { ...ws, profile_id: made.id };
    expect(await fixture.bus.call(profiles.get, request)).toEqual(made);
    expect((await fixture.bus.call(profiles.list, ws)).items).toEqual([made]);
    await fixture.bus.call(profiles.remove, request);
    await expect(fixture.bus.call(profiles.get, request)).rejects.toMatchObject(gone);
  });

  test('an alias of a model is read as it was written, and is absent after its removal', async () => {
    const spec = {
      name: 'own',
      provider_key: 'openai',
      credential_reference: 'workspace-secret://K',
    } as const;
    const { id: provider_account_id } = await fixture.bus.call(providerAccounts.create, {
      ...ws,
      spec,
      actor,
    });
    const alias = { name: 'fast', provider_account_id, model: 'm' };
    const made = await fixture.bus.call(modelAliases.create, { ...ws, spec: alias, actor });
    const request = { ...ws, model_alias_id: made.id };
    expect(await fixture.bus.call(modelAliases.get, request)).toEqual(made);
    expect((await fixture.bus.call(modelAliases.list, ws)).items).toEqual([made]);
    await fixture.bus.call(modelAliases.remove, request);
    await expect(fixture.bus.call(modelAliases.get, request)).rejects.toMatchObject(gone);
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
    const made = await fixture.bus.call(tools.create, { ...ws, spec, actor });
    const request = { ...ws, tool_id: made.id };
    expect(await fixture.bus.call(tools.get, request)).toEqual(made);
    await fixture.bus.call(tools.remove, request);
    await expect(fixture.bus.call(tools.get, request)).rejects.toMatchObject(gone);
  });

  test('a deployment is read as it was written, and is archived rather than removed', async () => {
    const made = await fixture.scripted('agent');
    const request = { ...ws, deployment_id: made.id };
    expect(await fixture.bus.call(deployments.get, request)).toMatchObject({ id: made.id, name: 'agent' });
    expect((await fixture.bus.call(deployments.list, ws)).items).toMatchObject([{ id: made.id }]);
    await fixture.bus.call(deployments.archive, request);
    expect(await fixture.bus.call(deployments.get, request)).toMatchObject({
      id: made.id,
      status: 'archived',
    });
  });
});

test('attempts without a sandbox are dispatched together, on a queue of their own', async () => {
  expect(execution.prompt.subject).not.toBe(execution.execute.subject);
  const pack = fakes.add(publish(wordPack(3, { version: '  execution_mode: prompt_eval\n' })));
  const { id } = await fixture.createRun(pack.version.id, [await fixture.scripted('prompted')]);
  await waitFor(async () => {
    const ids = (await fixture.attempts(id)).map((attempt) => attempt.id);
    return ids.every((attempt) => fakes.jobs.some((job) => job.attempt_id === attempt));
  });
});
