import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { BreakableProxy } from './testing/breakable-proxy.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(180_000);

/** Longer than the page tries before it says that it failed. */
const PAGE_TIMEOUT_MS = 60_000;
const UNAVAILABLE_NOTICE = 'The server does not answer; trying again.';

describe('while the server is away', () => {
  let web: WebFixture;

  beforeAll(async () => {
    web = await WebFixture.start();
  }, 120_000);
  afterAll(async () => await web?.close());

  test('a list stays and says that it may be old; it comes back by itself', async () => {
    const proxy = await BreakableProxy.before(web.url);
    const visitor = await web.visit({ url: proxy.url });
    const { page } = visitor;
    try {
      await visitor.open('/runs');
      proxy.cut();
      await page.getByText(UNAVAILABLE_NOTICE).waitFor();
      await page.getByText('Nothing has been raced yet.').waitFor();
      proxy.restore();
      await page.getByText(UNAVAILABLE_NOTICE).waitFor({ state: 'detached', timeout: PAGE_TIMEOUT_MS });
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(visitor.pageErrors).toEqual([]);
    } finally {
      await visitor.leave();
      await proxy.close();
    }
  });

  test('what could not be loaded is not called empty, and is loaded once the server is back', async () => {
    const proxy = await BreakableProxy.before(web.url);
    const visitor = await web.visit({ url: proxy.url });
    const { page } = visitor;
    try {
      await visitor.open('/runs');
      // The screen's script is in the browser now; what it shows is not.
      await visitor.open('/tokens');
      proxy.cut();
      await page.getByRole('link', { name: 'Runs' }).click();
      await page.getByRole('alert').waitFor({ timeout: PAGE_TIMEOUT_MS });
      expect(await page.getByText('Nothing has been raced yet.').count()).toBe(0);
      proxy.restore();
      await page.getByText('Nothing has been raced yet.').waitFor({ timeout: PAGE_TIMEOUT_MS });
      expect(await page.getByRole('alert').count()).toBe(0);
    } finally {
      await visitor.leave();
      await proxy.close();
    }
  });

  test('a screen whose code is missing leaves the others alone, and comes by itself', async () => {
    const proxy = await BreakableProxy.before(web.url);
    const visitor = await web.visit({ url: proxy.url });
    const { page } = visitor;
    const isMissing = page.getByText('This screen could not be fetched.');
    try {
      await visitor.open('/runs');
      proxy.cut();
      await page.getByRole('link', { name: 'Tokens' }).click();
      await isMissing.waitFor({ timeout: PAGE_TIMEOUT_MS });
      await page.getByRole('link', { name: 'Runs' }).click();
      await page.getByText('Nothing has been raced yet.').waitFor();
      expect(await isMissing.count()).toBe(0);
      await page.getByRole('link', { name: 'Tokens' }).click();
      await isMissing.waitFor({ timeout: PAGE_TIMEOUT_MS });
      proxy.restore();
      await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor({ timeout: PAGE_TIMEOUT_MS });
    } finally {
      await visitor.leave();
      await proxy.close();
    }
  });
});
