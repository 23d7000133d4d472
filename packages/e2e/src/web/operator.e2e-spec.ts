import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient, routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(180_000);

describe('the operator in the web app', () => {
  let web: WebFixture;

  beforeAll(async () => {
    web = await WebFixture.start();
  }, 120_000);
  afterAll(async () => await web?.close());

  test('the operator makes a workspace and a token for it, whose value is shown once and opens that workspace', async () => {
    const visitor = await web.visit({ token: web.operatorToken });
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('heading', { level: 1, name: 'Workspaces' }).waitFor();
    await page.getByLabel('Slug').fill('team-blue');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('status').getByRole('link', { name: 'create a token' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tokens of team-blue' }).waitFor();
    await page.getByLabel('Name').fill('blue admin');
    await page.getByLabel('Role').selectOption('admin');
    await page.getByRole('button', { name: 'Create' }).click();
    const value = page.getByText(/^ac_/);
    const token = (await value.textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await value.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Revoke blue admin' }).waitFor();
    expect(await page.content()).not.toContain(token);

    const client = createClient({ baseUrl: web.url, token });
    expect(await client.call(routes.workspaces.whoami)).toMatchObject({
      workspace: { slug: 'team-blue' },
      role: 'admin',
    });
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('the operator rotates the master key after a confirmation, and sees no key', async () => {
    const visitor = await web.visit({ token: web.operatorToken });
    const { page } = visitor;
    await visitor.open('/vault-keys');
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('row', { name: /k2 active/ }).waitFor();
    const { keys } = JSON.parse(
      readFileSync(path.join(web.product.folder.data, 'vault-keys.json'), 'utf8'),
    ) as { keys: Record<string, string> };
    const html = await page.content();
    expect(Object.values(keys).filter((key) => html.includes(key))).toEqual([]);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('an admin of one workspace sees that the screen of workspaces is for the operator', async () => {
    const visitor = await web.visit();
    await visitor.open('/workspaces');
    await visitor.page
      .getByText('Only the operator of the installation may see and create workspaces.')
      .waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Create' }).count()).toBe(0);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('the health screen lists every service and the executors', async () => {
    const visitor = await web.visit({ token: web.operatorToken });
    const { page } = visitor;
    await visitor.open('/health');
    for (const name of ['pack-registry', 'run-orchestrator', 'scoring', 'secrets-vault']) {
      await page.getByRole('row', { name: `${name} ready` }).waitFor();
    }
    await page.getByRole('row', { name: /bubblewrap/ }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});
