import { routes } from '@agentclash/api';
import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(180_000);

let web: WebFixture;
let server: ScriptedModel;

beforeAll(async () => {
  server = await scriptedModel();
  server.follow(() => ({ text: 'Lima' }));
  web = await WebFixture.start();
  const file = {
    provider_accounts: [{ name: 'local', provider_key: 'openai_compatible', base_url: server.url }],
    deployments: [
      {
        name: 'geographer',
        kind: 'model',
        config: { provider_account: 'local', model: 'm-1', policy_spec: { role: 'You are a geographer.' } },
      },
    ],
  };
  await web.prepare(web.example('challenge-packs/capital-cities.yaml'), JSON.stringify(file));
});
afterAll(async () => {
  await web?.close();
  await server?.close();
});

test('the transcript begins with the prompt as it was sent: the system message, then the user message', async () => {
  const run_id = await web.race(['--pack', 'capital-cities', '--deployment', 'geographer']);
  const { items } = await web.client.call(routes.runs.attempts, { params: { run_id } });
  const visitor = await web.visit();
  const { page } = visitor;
  await visitor.open(`/attempts/${items[0]?.id}`);
  const turns = page.getByRole('list', { name: 'Transcript' }).getByRole('article');
  await turns.nth(2).waitFor();
  const texts = await turns.allTextContents();
  expect(texts).toHaveLength(3);
  expect(texts[0]).toMatch(/^system.*You are a geographer\./s);
  expect(texts[1]).toMatch(/^user.*Reply with the capital of /s);
  expect(texts[2]).toMatch(/^assistantm-1 · .* in · .* out · .*Lima$/s);
  expect(await page.getByRole('region', { name: 'Output', exact: true }).textContent()).toContain('Lima');
  expect(visitor.pageErrors).toEqual([]);
  await visitor.leave();
});
