import { createClient, routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { PersonIssuer } from './testing/person-issuer.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(120_000);

describe('a person of several workspaces', () => {
  let issuer: PersonIssuer;
  let web: WebFixture;

  beforeAll(async () => {
    issuer = await PersonIssuer.start();
    const sign_in = [
      { claims: { groups: 'eval' }, workspace: 'default', role: 'admin' },
      { claims: { groups: 'eval' }, workspace: 'second', role: 'viewer' },
    ];
    const settings = [{ issuer: issuer.url, audience: 'agentclash', sign_in }];
    web = await WebFixture.start({ OIDC_ISSUERS: JSON.stringify(settings) });
    const operator = createClient({ baseUrl: web.url, token: web.operatorToken });
    await operator.call(routes.workspaces.create, { body: { slug: 'second', name: 'Second team' } });
    await web.deploy('{name: only-in-default, kind: scripted, config: {steps: [{answer: x}]}}');
  }, 180_000);
  afterAll(async () => {
    await web?.close();
    await issuer?.close();
  });

  test('a member of two workspaces switches between them, has the role of each, and sees nothing of the other one', async () => {
    const visitor = await web.visit({ token: issuer.token({ sub: 'alice', groups: 'eval' }) });
    const { page } = visitor;
    await visitor.open('/deployments');
    await page.getByRole('rowheader', { name: 'only-in-default' }).waitFor();
    await page.getByText('alice · admin').waitFor();

    await visitor.openAccountMenu();
    await page.getByLabel('Workspace').selectOption('Second team');
    await page.getByText('alice · viewer').waitFor();
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deployments' }).click();
    await page.getByText('No deployments yet').waitFor();
    expect(await page.getByText('only-in-default').count()).toBe(0);

    await page.reload();
    await page.getByText('alice · viewer').waitFor();
    await visitor.signOut();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a token of one workspace is offered no other', async () => {
    const visitor = await web.visit();
    await visitor.open('/runs');
    await visitor.openAccountMenu();
    await visitor.page.getByLabel('Theme').waitFor();
    expect(await visitor.page.getByLabel('Workspace').count()).toBe(0);
    await visitor.leave();
  });
});
