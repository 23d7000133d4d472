import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { agentclash, repository, StackFolder } from '../product.js';
import { type Browser, openChromium } from './testing/chromium.js';
import { Visitor } from './testing/visitor.js';

jest.setTimeout(120_000);

const PROGRAM = path.join(repository, 'apps/cli/bin/agentclash.js');

describe('a file of results in the web app', () => {
  const folder = new StackFolder();
  let browser: Browser;
  let viewing: ChildProcess;
  let link: URL;

  beforeAll(async () => {
    const file = path.join(folder.path, 'capitals.clash');
    const pack = path.join(repository, 'examples/challenge-packs/capital-cities.yaml');
    const agents = path.join(repository, 'examples/deployments/capital-cities.yaml');
    const ran = await agentclash(['run', pack, '--agents', agents, '-o', file], { folder });
    expect(ran).toMatchObject({ code: 0 });
    viewing = spawn(process.execPath, [PROGRAM, 'view', file, '--print'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines = createInterface({ input: viewing.stdout as NonNullable<ChildProcess['stdout']> });
    const [line] = await once(lines, 'line');
    link = new URL(line);
    browser = await openChromium();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    if (viewing?.exitCode === null) viewing.kill('SIGKILL');
    folder.remove();
  });

  async function visitor(): Promise<Visitor> {
    const visiting = await Visitor.arrive(browser, { url: link.origin });
    await visiting.open(`${link.pathname}${link.hash}`);
    return visiting;
  }

  test('its link opens the overview, and every result page shows what the file holds', async () => {
    const visiting = await visitor();
    const { page } = visiting;
    await page
      .getByRole('cell', { name: 'concise' })
      .or(page.getByRole('link', { name: 'concise' }))
      .first()
      .waitFor();
    expect(new URL(page.url()).hash).toBe('');
    const run = link.pathname;
    expect(run).toMatch(/^\/runs\/[0-9a-f-]{36}$/);
    await visiting.open(`${run}/ranking`);
    await page.getByText('chatty').first().waitFor();
    await visiting.open(`${run}/matrix`);
    await page.getByText('iceland').first().waitFor();
    await visiting.open(`${run}/failures`);
    await page
      .getByRole('button', { name: /^chatty/ })
      .first()
      .waitFor();
    await visiting.open(`${run}/cases/peru`);
    await page.getByText('Lima').first().waitFor();
    await page.locator('a[href^="/attempts/"]').first().click();
    await page.waitForURL(/\/attempts\//);
    await visiting.settle();
    await page.getByText('Lima').filter({ visible: true }).first().waitFor();
    await visiting.open('/runs');
    await page.getByText('capital-cities').first().waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
      'Runs',
    ]);
    expect(await page.getByRole('button', { name: /cancel|retry|delete|start/i }).count()).toBe(0);
    expect(visiting.pageErrors).toEqual([]);
    await visiting.leave();
  });

  test('Ctrl-C ends it without an error', async () => {
    viewing.kill('SIGINT');
    const [code] = await once(viewing, 'exit');
    expect(code).toBe(0);
    await expect(fetch(link.origin)).rejects.toThrow();
  });
});
