import { routes } from '@agentclash/api';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(180_000);

let web: WebFixture;

beforeAll(async () => {
  web = await WebFixture.start();
  const pack = web.example('challenge-packs/log-questions.yaml');
  await web.prepare(pack, web.example('deployments/log-questions.yaml'));
  await web.deploy(
    JSON.stringify({ deployments: [{ name: 'bystander', kind: 'scripted', config: { steps: [] } }] }),
  );
});
afterAll(async () => await web?.close());

test("the form that starts a run begins with the pack's default lineup, and races it", async () => {
  const visitor = await web.visit();
  const { page } = visitor;
  await visitor.open('/runs/new');
  await page.getByText("The pack's default lineup is chosen.").waitFor();
  for (const name of ['log-reader', 'log-counter', 'log-guesser']) {
    expect(await page.getByLabel(name).isChecked()).toBe(true);
  }
  expect(await page.getByLabel('bystander').isChecked()).toBe(false);
  await page.getByLabel('log-guesser').uncheck();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  const run_id = new URL(page.url()).pathname.split('/')[2] ?? '';
  const { items } = await web.client.call(routes.runs.agents, { params: { run_id } });
  expect(items.map(({ name }) => name)).toEqual(['log-reader', 'log-counter']);
  expect(visitor.pageErrors).toEqual([]);
  await visitor.leave();
});
