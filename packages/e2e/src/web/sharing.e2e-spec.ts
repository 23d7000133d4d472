import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { accessibilityProblems, LOOKS, pageProblems } from './testing/accessibility.js';
import { everyScreen } from './testing/screens.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(240_000);

const PACK = 'capital-cities';

/** A server that receives events. */
class Receiver {
  readonly bodies: { type: string; data: { run?: { id: string } } }[] = [];
  status = 204;
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(this.status).end();
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

describe('the results of a run, found, shared and reported', () => {
  const receiver = new Receiver();
  let web: WebFixture;
  let runId: string;

  beforeAll(async () => {
    web = await WebFixture.start();
    await web.prepare(web.example(`challenge-packs/${PACK}.yaml`), web.example(`deployments/${PACK}.yaml`));
    runId = await web.race(['--pack', PACK, '--deployment', 'concise', '--deployment', 'chatty']);
  }, 180_000);
  afterAll(async () => {
    await web?.close();
    await receiver.close();
  });

  test('a text is found in what the agents of a run did, and leads to the event of its attempt', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open(`/runs/${runId}`);
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByText('Find a text in the messages').waitFor();
    expect(await pageProblems(visitor)).toEqual([]);
    await page.getByLabel('Text').fill('Kathmandu');
    await page.getByText(/^\d+ match(?:es)?$/).waitFor();
    expect(await pageProblems(visitor)).toEqual([]);
    await page.getByLabel('Agent', { exact: true }).selectOption('concise');
    await page.waitForURL(/[?&]agent=/);
    await page.getByText(/^\d+ match(?:es)?$/).waitFor();
    const address = new URL(page.url()).search;
    expect(address).toContain('q=Kathmandu');
    await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
    await page.waitForURL(/\/attempts\//);
    await page.getByText('Kathmandu').filter({ visible: true }).first().waitFor();
    await visitor.open(`/runs/${runId}/search${address}`);
    await page.getByText(/^\d+ match(?:es)?$/).waitFor();
    await page.getByLabel('Text').fill('no agent wrote this');
    await page.getByText('No event of the attempts has this text').waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a link shows one run without a sign-in until it is revoked, and nothing else of the workspace', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open(`/runs/${runId}`);
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByText(/\/share#acs_/).textContent();
    expect(await pageProblems(visitor)).toEqual([]);

    const reader = await web.visit({ token: undefined });
    await reader.page.goto(link ?? '');
    await reader.page.getByRole('heading', { level: 1 }).waitFor();
    await reader.page.getByRole('link', { name: 'Ranking', exact: true }).click();
    await reader.page.getByRole('region', { name: 'Ranking' }).getByText('concise').waitFor();
    const menu = reader.page.getByRole('navigation', { name: 'Main' });
    expect(await menu.getByRole('link', { name: 'Secrets' }).count()).toBe(0);
    expect(await reader.page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
    expect(reader.pageErrors).toEqual([]);

    await dialog.getByRole('button', { name: /^Revoke the link/ }).click();
    await dialog.getByRole('button', { name: /^Revoke the link/ }).waitFor({ state: 'detached' });
    await reader.page.reload();
    await reader.page
      .getByText(/expired|revoked|Sign in/)
      .first()
      .waitFor();
    expect(await reader.page.getByRole('region', { name: 'Ranking' }).count()).toBe(0);
    expect(visitor.pageErrors).toEqual([]);
    await reader.leave();
    await visitor.leave();
  });

  test.each(LOOKS)(
    'the screens that a link shows have no serious violation, and fit $width px, $theme',
    async ({ width, theme }) => {
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      const { token } = await web.client.call(routes.shares.create, {
        params: { run_id: runId },
        body: { expires_at },
      });
      const ofRun = (await everyScreen(web, runId)).filter((address) => SHARED.test(address));
      expect(ofRun.length).toBeGreaterThan(6);
      const options = { width, theme, token };
      expect(await accessibilityProblems(web, [{ options, addresses: ofRun }])).toEqual([]);
    },
  );

  test('a webhook is created, tested, and reports the end of a run; a failed delivery is resent', async () => {
    const address = await receiver.listen();
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open('/webhooks');
    await page.getByLabel('Name').fill('ci');
    await page.getByLabel('Address').fill(address);
    await page.getByLabel('Pack (optional)').fill(PACK);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Test ci' }).click();
    const log = page.getByRole('region', { name: 'Deliveries of ci' });
    await log.getByText('delivered').waitFor();
    await waitFor(() => receiver.bodies.length === 1);

    receiver.status = 410;
    const ended = await web.race(['--pack', PACK, '--deployment', 'concise']);
    await waitFor(() => receiver.bodies.some(({ data }) => data.run?.id === ended));
    await page.reload();
    await page.getByRole('button', { name: 'Deliveries of ci' }).click();
    await log.getByText('failed').waitFor();
    expect(await pageProblems(visitor)).toEqual([]);
    receiver.status = 204;
    await page.getByRole('button', { name: 'Enable ci' }).click();
    await page.getByRole('button', { name: 'Disable ci' }).waitFor();
    await log.getByRole('button', { name: /^Resend run\.completed/ }).click();
    await waitFor(() => receiver.bodies.filter(({ data }) => data.run?.id === ended).length === 2);
    await log.getByText('failed').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete ci' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});

/** Screens of a run, its cases and its attempts. Those of decisions and reviews are not part of a link. */
const SHARED =
  /^\/(?:runs\/[^/]+(?:\/(?:arena|ranking|matrix|failures|search|agents|cases).*)?|attempts\/.+)$/;
