import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { BreakableProxy } from './testing/breakable-proxy.js';
import { WebWorld } from './testing/web-world.js';

jest.setTimeout(180_000);

/** Longer than the page tries before it says that it failed. */
const GIVEN_UP_MS = 60_000;
const SAYS_AWAY = 'The server does not answer; trying again.';

describe('while the server is away', () => {
  let world: WebWorld;

  beforeAll(async () => {
    world = await WebWorld.start();
  }, 120_000);
  afterAll(async () => await world?.close());

  test('a list stays and says that it may be old; it comes back by itself', async () => {
    const proxy = await BreakableProxy.before(world.url);
    const visitor = await world.visit({ url: proxy.url });
    const { page } = visitor;
    try {
      await visitor.open('/runs');
      proxy.cut();
      await page.getByText(SAYS_AWAY).waitFor();
      await page.getByText('Nothing has been raced yet.').waitFor();
      proxy.mend();
      await page.getByText(SAYS_AWAY).waitFor({ state: 'detached', timeout: GIVEN_UP_MS });
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(visitor.faults).toEqual([]);
    } finally {
      await visitor.leave();
      await proxy.close();
    }
  });

  test('what could not be loaded is not called empty, and is loaded once the server is back', async () => {
    const proxy = await BreakableProxy.before(world.url);
    const visitor = await world.visit({ url: proxy.url });
    const { page } = visitor;
    try {
      await visitor.open('/runs');
      // The screen's script is in the browser now; what it shows is not.
      await visitor.open('/tokens');
      proxy.cut();
      await page.getByRole('link', { name: 'Runs' }).click();
      await page.getByRole('alert').waitFor({ timeout: GIVEN_UP_MS });
      expect(await page.getByText('Nothing has been raced yet.').count()).toBe(0);
      proxy.mend();
      await page.getByText('Nothing has been raced yet.').waitFor({ timeout: GIVEN_UP_MS });
      expect(await page.getByRole('alert').count()).toBe(0);
    } finally {
      await visitor.leave();
      await proxy.close();
    }
  });

  test('a screen whose code is missing leaves the others alone, and comes by itself', async () => {
    const proxy = await BreakableProxy.before(world.url);
    const visitor = await world.visit({ url: proxy.url });
    const { page } = visitor;
    const isMissing = page.getByText('This screen could not be fetched.');
    try {
      await visitor.open('/runs');
      proxy.cut();
      await page.getByRole('link', { name: 'Tokens' }).click();
      await isMissing.waitFor({ timeout: GIVEN_UP_MS });
      await page.getByRole('link', { name: 'Runs' }).click();
      await page.getByText('Nothing has been raced yet.').waitFor();
      expect(await isMissing.count()).toBe(0);
      await page.getByRole('link', { name: 'Tokens' }).click();
      await isMissing.waitFor({ timeout: GIVEN_UP_MS });
      proxy.mend();
      await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor({ timeout: GIVEN_UP_MS });
    } finally {
      await visitor.leave();
      await proxy.close();
    }
  });
});
