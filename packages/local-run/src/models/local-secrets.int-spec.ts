import { readFileSync } from 'node:fs';
import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidOf } from '../run/ids.js';
import type { LocalAgents } from '../run/local-agents.js';
import { agentsOf, conducted, deployment, prepared, resultsFolder, wordsPack } from '../testing/runs.js';

const KEY = 'sk-canary-4711-local-run';
const AT = '2026-01-01T00:00:00.000Z';
const folder = resultsFolder();
let models: ScriptedModel;

beforeAll(async () => {
  // A provider that returns the key of its request in the reply.
  models = await scriptedModel(() => ({ text: `w1 ${KEY}` }));
});
afterAll(async () => {
  await models.close();
  folder.remove();
});

function withModel(reference: string): LocalAgents {
  const account = uuidOf('account');
  return {
    ...agentsOf(deployment('model', { provider_account_id: account, model: 'scripted' }, 'model')),
    accounts: [
      {
        ...{ id: account, name: 'local', provider_key: 'openai_compatible', created_at: AT, updated_at: AT },
        ...{ base_url: models.urlOf('chat'), credential_reference: reference },
      },
    ],
  };
}

describe('The secrets of a run in one process', () => {
  test('a credential comes from the environment by its name, reaches the provider, and is in no file', async () => {
    const file = folder.path('model.clash');
    const variable = (name: string) => (name === 'MODEL_KEY' ? KEY : undefined);
    const run = await prepared(wordsPack(1), withModel('workspace-secret://MODEL_KEY'), {
      secretValues: { given: () => undefined, variable },
    });
    const end = await conducted(run, { file, allowsLoopback: true });
    expect(end?.run.progress).toMatchObject({ by_outcome: { completed: 1 } });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('model.call.completed');
    expect(text).not.toContain(KEY);
  });

  test('a secret that is not given ends the run before it begins, with the next step', async () => {
    await expect(prepared(wordsPack(1), withModel('workspace-secret://MODEL_KEY'))).rejects.toMatchObject({
      code: 'missing_secret',
      message: expect.stringMatching(/MODEL_KEY.*--secret/),
    });
  });

  test('a secret that a pack refers to is never read from the environment', async () => {
    const tools = `tools:
  custom:
    - name: fetch
      description: Fetches.
      parameters: {type: object, properties: {}}
      implementation: {primitive: http_request, args: {url: 'https://example.com', headers: {X: '\${secrets.HOME_KEY}'}}}
`;
    const pack = wordsPack(1, tools).replace('execution_mode: prompt_eval', 'execution_mode: native');
    const variable = () => 'value-of-the-environment';
    const echo = deployment('echo', { steps: [{ answer: 'w1' }] });
    const secretValues = { given: () => undefined, variable };
    await expect(prepared(pack, agentsOf(echo), { secretValues })).rejects.toMatchObject({
      code: 'missing_secret',
      message: expect.stringMatching(/HOME_KEY/),
    });
  });
});
