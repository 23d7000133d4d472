import { createClient, routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Visitor } from './testing/visitor.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(120_000);

const SECRET = 'plainly-visible-nowhere-8d1f';

describe('signing in', () => {
  let web: WebFixture;
  let visitor: Visitor;

  beforeAll(async () => {
    web = await WebFixture.start();
  });
  afterAll(async () => await web?.close());
  beforeEach(async () => {
    visitor = await web.visit({ token: undefined });
  });
  afterEach(async () => {
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  const whoami = (token: string) => createClient({ baseUrl: web.url, token }).call(routes.workspaces.whoami);
  const code = async () => (await web.client.call(routes.sessions.createCode, { body: {} })).code;

  test('a user without a token sees the sign-in on every screen', async () => {
    for (const address of ['/', '/runs', '/secrets']) {
      await visitor.open(address);
      expect(await visitor.page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in');
    }
  });

  test('an unknown token is refused with an error', async () => {
    await visitor.open('/');
    await visitor.page.getByLabel('Token').fill('ac_this-one-is-not-known-at-all-0000000000000');
    await visitor.page.getByRole('button', { name: 'Sign in' }).click();
    await visitor.page.getByText('Invalid token: it is unknown or has expired').waitFor();
  });

  test('a token of any workspace opens a session of the browser, and signing out ends it', async () => {
    const { page } = visitor;
    await visitor.open('/deployments');
    await page.getByLabel('Token').fill(web.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Deployments' }).waitFor();
    // The browser has a session of its own, which ends by itself; the token is not stored.
    const stored = await waitFor(async () => {
      const found = await storedIn(page);
      return found.token !== null && found;
    });
    expect(stored.token).toMatch(/^ac_/);
    expect(JSON.stringify(stored)).not.toContain(web.token);
    await visitor.signOut();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await storedIn(page)).toEqual({ token: null, tab: {} });
    await expect(whoami(stored.token ?? '')).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await whoami(web.token)).toMatchObject({ role: 'admin' });
  });

  test('a link with a code signs in with one click, in all tabs, and out of all', async () => {
    const { page } = visitor;
    await visitor.open(`/deployments#code=${await code()}`);
    await page.getByRole('heading', { name: 'Deployments' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    const opening = page.context().waitForEvent('page');
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Packs' })
      .click({ modifiers: ['ControlOrMeta'] });
    const tab = await opening;
    await tab.getByRole('heading', { name: 'Packs', level: 1 }).waitFor();
    await tab.getByRole('button', { name: 'account menu' }).click();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await tab.close();
  });

  test('a code signs in once', async () => {
    const { page } = visitor;
    const used = await code();
    await web.client.call(routes.sessions.open, { body: { code: used } });
    await visitor.open(`/#code=${used}`);
    await page.getByText('was used already, has expired or is unknown').waitFor();
    expect(await storedIn(page)).toEqual({ token: null, tab: {} });
  });

  test('a link requires a confirmation before it signs in at any other address than a loopback address', async () => {
    const { page } = visitor;
    const elsewhere = web.url.replace('127.0.0.1', 'clash.localhost');
    const offered = await code();
    await page.goto(`${elsewhere}/#code=${offered}`);
    await page.getByRole('heading', { name: 'Sign in with this link?' }).waitFor();
    expect(await storedIn(page)).toEqual({ token: null, tab: {} });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    visitor.pageErrors.length = 0;
  });

  test('the owner of a token is requested once while the app is still loading', async () => {
    const returning = await web.visit();
    const requested: string[] = [];
    returning.page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await returning.open('/runs');
    expect(requested.filter((address) => address === '/v1/whoami')).toHaveLength(1);
    const screenAt = requested.findIndex((address) => address.startsWith('/assets/runs-screen'));
    expect(screenAt).toBeGreaterThan(requested.indexOf('/v1/whoami'));
    await returning.leave();
  });

  test.each(['/packs/%ff', '/packs/no-such-pack', '/runs/%zz', '/attempts/%00', '/no-such-screen/%'])(
    'the address %s, which leads nowhere, shows that there is nothing',
    async (address) => {
      const lost = await web.visit();
      await lost.open(address);
      await lost.page
        .getByText(/not_found|No page has this address|does not exist|is no /i)
        .first()
        .waitFor();
      expect(lost.pageErrors).toEqual([]);
      await lost.leave();
    },
  );

  test('a token that is revoked ends the session', async () => {
    const { page } = visitor;
    const body = { name: 'short-lived', role: 'viewer' } as const;
    const { id, token } = await web.client.call(routes.tokens.create, { body });
    await visitor.open('/');
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await web.client.call(routes.tokens.revoke, { params: { token_id: id } });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Packs' }).click();
    await page.getByText('Your token is no longer valid').waitFor();
  });

  test('a viewer sees which actions need another role, and is offered none of them', async () => {
    const { page } = visitor;
    const body = { name: 'looker', role: 'viewer' } as const;
    const { token } = await web.client.call(routes.tokens.create, { body });
    await visitor.open('/secrets');
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByText('Only an admin may see and set secrets').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
    await page.getByText('No runs yet').waitFor();
    expect(await page.getByRole('link', { name: 'Start a run' }).count()).toBe(0);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deployments' }).click();
    await page.getByText('Read only').waitFor();
    expect(await page.getByRole('button', { name: /New|Archive|Edit/ }).count()).toBe(0);
  });

  test('a stored secret is never shown again', async () => {
    const { page } = visitor;
    const responses: string[] = [];
    page.on('response', async (response) => {
      responses.push(await response.text().catch(() => ''));
    });
    await visitor.open('/secrets');
    await page.getByLabel('Token').fill(web.token);
    await page.keyboard.press('Enter');
    await page.getByLabel('Key', { exact: true }).fill('SERVICE_KEY');
    await page.getByLabel('Value').fill(SECRET);
    expect(await page.getByLabel('Value').getAttribute('type')).toBe('password');
    await page.getByLabel('Allowed hosts').fill('api.example.com');
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByText('SERVICE_KEY is set').waitFor();
    await page.getByRole('rowheader', { name: 'SERVICE_KEY' }).waitFor();
    expect(await page.getByLabel('Value').inputValue()).toBe('');
    await page.reload();
    await page.getByRole('rowheader', { name: 'SERVICE_KEY' }).waitFor();
    const kept = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect([await page.content(), kept, ...responses].filter((text) => text.includes(SECRET))).toEqual([]);
  });
});

/** The session that a page has stored, in the browser and in its tab. */
async function storedIn(page: Page) {
  return await page.evaluate<{ token: string | null; tab: Record<string, string> }>(
    "({ token: localStorage.getItem('agentclash.token'), tab: { ...sessionStorage } })",
  );
}
