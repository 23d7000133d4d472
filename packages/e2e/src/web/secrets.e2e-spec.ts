import { randomBytes } from 'node:crypto';
import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ECHO_NAMES, HostileServer } from '../hostile-server.js';
import { probeDeployment, probePack } from '../probe-pack.js';
import { formsOf } from '../secret-forms.js';
import { everyScreen } from './testing/screens.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(240_000);

const secret = `tok "${randomBytes(12).toString('hex')}"/+%\\=~`;
const canary = `canary-${randomBytes(12).toString('hex')}`;

describe('a secret that is typed into a page and used by a tool whose server gives it away', () => {
  let web: WebFixture;
  let hostile: HostileServer;

  beforeAll(async () => {
    hostile = await HostileServer.start(secret);
    web = await WebFixture.start();
    await web.prepare(probePack({ port: hostile.port, canary }), probeDeployment({ canary }));
  });
  afterAll(async () => {
    hostile?.close();
    await web?.close();
  });

  test('a secret is in no page, no response of the server and no store of the browser, in any form, while its marks are', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const seen: string[] = [];
    const responses: Promise<void>[] = [];
    page.on('response', (response) => {
      // A stream ends when its page is left.
      if (response.headers()['content-type']?.startsWith('text/event-stream')) return;
      responses.push(
        response.text().then(
          (text) => void seen.push(text),
          () => {},
        ),
      );
    });
    await visitor.open('/secrets');
    await page.getByLabel('Key', { exact: true }).fill('HOSTILE_TOKEN');
    await page.getByLabel('Value').fill(secret);
    await page.getByLabel('Allowed hosts').fill(`http://127.0.0.1:${hostile.port}`);
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByText('HOSTILE_TOKEN is set').waitFor();

    const runId = await web.race(['--pack', 'hostile', '--deployment', 'prober']);
    await waitFor(async () => hostile.echoed.size === ECHO_NAMES.length, { timeoutMs: 60_000 });
    for (const address of await everyScreen(web, runId)) {
      await visitor.open(address);
      seen.push(await page.content());
    }
    const { items } = await web.client.call(routes.runs.attempts, { params: { run_id: runId } });
    await visitor.open(`/attempts/${items[0]?.id}?tab=events`);
    for (const step of await page.getByRole('region', { name: 'Timeline' }).getByRole('button').all())
      await step.click({ timeout: 1_000 }).catch(() => {});
    seen.push(
      await page.content(),
      await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])'),
    );
    await Promise.all(responses);

    const all = seen.join('\n');
    expect(formsOf(secret).filter((form) => all.includes(form))).toEqual([]);
    expect(all).toContain('[redacted:HOSTILE_TOKEN]');
    expect(all).toContain(canary);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});
