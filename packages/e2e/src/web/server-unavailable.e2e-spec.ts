import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Locator, Page, Request } from 'playwright-core';
import { BreakableProxy } from './testing/breakable-proxy.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(180_000);

const PAGE_TIMEOUT_MS = 60_000;
/** As long as the page waits between two tries, at least. */
const BACK_OFF_MS = 5_000;
const UNAVAILABLE_NOTICE = 'The server is unavailable; retrying.';

describe('while the server is unavailable', () => {
  let web: WebFixture;

  beforeAll(async () => {
    web = await WebFixture.start();
  }, 120_000);
  afterAll(async () => await web?.close());

  test('a list stays on the page with a notice that it may be old, and is refreshed without a reload', async () => {
    const proxy = await BreakableProxy.before(web.url);
    const visitor = await web.visit({ url: proxy.url });
    const { page } = visitor;
    const underWay = requestsUnderWay(page);
    try {
      await page.clock.install();
      await visitor.open('/runs');
      proxy.cut();
      await afterBackOff(page, underWay, { part: page.getByText(UNAVAILABLE_NOTICE) });
      await page.getByText('No runs yet').waitFor();
      proxy.restore();
      await afterBackOff(page, underWay, { part: page.getByText(UNAVAILABLE_NOTICE), state: 'absent' });
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(visitor.pageErrors).toEqual([]);
    } finally {
      await visitor.leave();
      await proxy.close();
    }
  });

  test('a list that could not be loaded is not shown as empty, and is loaded once the server is back', async () => {
    const proxy = await BreakableProxy.before(web.url);
    const visitor = await web.visit({ url: proxy.url });
    const { page } = visitor;
    const underWay = requestsUnderWay(page);
    try {
      await page.clock.install();
      await visitor.open('/runs');
      // The screen's script is in the browser now; what it shows is not.
      await visitor.open('/tokens');
      proxy.cut();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
      await afterBackOff(page, underWay, { part: page.getByRole('alert') });
      expect(await page.getByText('No runs yet').count()).toBe(0);
      proxy.restore();
      await afterBackOff(page, underWay, { part: page.getByText('No runs yet') });
      expect(await page.getByRole('alert').count()).toBe(0);
    } finally {
      await visitor.leave();
      await proxy.close();
    }
  });

  test('a screen whose script could not be fetched leaves the others alone, and is fetched later without a reload', async () => {
    const proxy = await BreakableProxy.before(web.url);
    const visitor = await web.visit({ url: proxy.url });
    const { page } = visitor;
    const isMissing = page.getByText('This screen could not be loaded.');
    const underWay = requestsUnderWay(page);
    try {
      await page.clock.install();
      await visitor.open('/runs');
      proxy.cut();
      await page.getByRole('link', { name: 'Tokens' }).click();
      await afterBackOff(page, underWay, { part: isMissing });
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
      await page.getByText('No runs yet').waitFor();
      expect(await isMissing.count()).toBe(0);
      await page.getByRole('link', { name: 'Tokens' }).click();
      await afterBackOff(page, underWay, { part: isMissing });
      proxy.restore();
      await afterBackOff(page, underWay, { part: page.getByRole('heading', { level: 1, name: 'Tokens' }) });
    } finally {
      await visitor.leave();
      await proxy.close();
    }
  });
});

/** The requests of a page whose responses have not come yet. */
function requestsUnderWay(page: Page): ReadonlySet<Request> {
  const underWay = new Set<Request>();
  page.on('request', (request) => void underWay.add(request));
  page.on('requestfinished', (request) => void underWay.delete(request));
  page.on('requestfailed', (request) => void underWay.delete(request));
  return underWay;
}

interface Awaited {
  part: Locator;
  state?: 'there' | 'absent';
}

/**
 * Waits until a part of the page is there, or absent, while the clock of the page skips its back-off. It does not skip
 * the time of a request: the page would give it up before a response can come.
 */
async function afterBackOff(
  page: Page,
  underWay: ReadonlySet<Request>,
  { part, state = 'there' }: Awaited,
): Promise<void> {
  const isReached = async () => {
    if (underWay.size === 0) await page.clock.fastForward(BACK_OFF_MS);
    return (await part.count()) > 0 === (state === 'there');
  };
  await waitFor(isReached, { timeoutMs: PAGE_TIMEOUT_MS });
}
