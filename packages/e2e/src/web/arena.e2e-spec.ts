import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { BreakableProxy } from './testing/breakable-proxy.js';
import { WebFixture } from './testing/web-fixture.js';

/**
 * Deployments for the pack capital-cities that take their time, so that there is a race to be watched; `wrongMs` is
 * that of the case that they fail.
 */
function slowCapitals(names: readonly string[], delayMs: number, wrongMs = delayMs): string {
  const capitals = {
    peru: 'Lima',
    malta: 'Valletta',
    kenya: 'Nairobi',
    nepal: 'Pokhara',
    iceland: 'Reykjavík',
  };
  const byCase = Object.entries(capitals).map(
    ([key, capital]) =>
      `        ${key}: [{answer: ${capital}, delay_ms: ${key === 'nepal' ? wrongMs : delayMs}}]`,
  );
  const deployments = names.map((name) =>
    [`  - name: ${name}`, '    kind: scripted', '    config:', '      by_case:', ...byCase].join('\n'),
  );
  return ['deployments:', ...deployments].join('\n');
}

jest.setTimeout(180_000);

const RACERS = ['alpha', 'beta', 'gamma'];
const CASES = 5;
const RACE = ['--pack', 'capital-cities', ...RACERS.flatMap((name) => ['--deployment', name])];

describe('the arena', () => {
  let web: WebFixture;

  beforeAll(async () => {
    web = await WebFixture.start();
    await web.prepare(web.example('challenge-packs/capital-cities.yaml'), slowCapitals(RACERS, 1_500));
  });
  afterAll(async () => await web?.close());

  test('the arena shows a race as it happens, and the counts of the server at its end', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const id = await web.race([...RACE, '--name', 'watched'], { isFollowed: false });
    await visitor.open(`/runs/${id}/arena`);
    await page.locator('[data-connection=live]').waitFor();
    await page.getByText('The race has ended.').waitFor({ timeout: 60_000 });
    for (const name of RACERS) {
      await textOf(page.getByRole('listitem', { name: `Lane ${name}` }), /done\s*5\/5[\s\S]*passed\s*4/);
    }
    await page.getByText('completed', { exact: true }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a connection that breaks off in the middle loses nothing and repeats nothing', async () => {
    const proxy = await BreakableProxy.before(web.url);
    const visitor = await web.visit({ url: proxy.url });
    const { page } = visitor;
    try {
      const id = await web.race([...RACE, '--repetitions', '3', '--max-concurrency', '3', '--name', 'cut'], {
        isFollowed: false,
      });
      // Paused, it cannot end before the connection is cut, however slow the browser is; what runs by then ends.
      const pause = () => web.client.call(routes.runs.pause, { params: { run_id: id } });
      await waitFor(pause);
      await visitor.open(`/runs/${id}/arena`);
      await page
        .getByText(/^(passed|failed)$/)
        .first()
        .waitFor({ timeout: 60_000 });
      proxy.cut();
      await page.getByText('Connection lost; reconnecting').waitFor();
      const before = proxy.taken;
      await web.client.call(routes.runs.resume, { params: { run_id: id } });
      await waitFor(async () => (await finishedOf(web, id)) >= 12, { timeoutMs: 60_000 });
      proxy.restore();
      await page.getByText('The race has ended.').waitFor({ timeout: 90_000 });
      expect(proxy.taken).toBeGreaterThan(before);
      for (const name of RACERS) {
        await textOf(page.getByRole('listitem', { name: `Lane ${name}` }), /done\s*15\/15[\s\S]*passed\s*12/);
      }
      const results = page.getByRole('region', { name: 'Latest results' }).getByRole('link');
      const addresses = await results.evaluateAll((links) =>
        links.map((link) => String(link.getAttribute('href'))),
      );
      expect(new Set(addresses).size).toBe(addresses.length);
      expect(addresses.length).toBe(Math.min(30, RACERS.length * CASES * 3));
    } finally {
      await visitor.leave();
      await proxy.close();
    }
    expect(visitor.pageErrors).toEqual([]);
  });

  test('a race whose failures are retried is followed again, and shows its new result', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const racers = ['delta', 'epsilon'];
    // The retried attempts are still running when the page, slow as it may be, has read the run and its events again.
    await web.deploy(slowCapitals(racers, 500, 6_000));
    const id = await web.race(['--pack', 'capital-cities', '--deployment', ...racers]);
    await visitor.open(`/runs/${id}/arena`);
    await page.getByText('The race has ended.').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Retry failed attempts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry failed attempts' }).click();
    await page.locator('[data-connection=live]').waitFor();
    for (const name of racers) {
      await textOf(page.getByRole('listitem', { name: `Lane ${name}` }), /done\s*4\/5/);
    }
    await page.getByText('The race has ended.').waitFor({ timeout: 60_000 });
    for (const name of racers) {
      await textOf(page.getByRole('listitem', { name: `Lane ${name}` }), /done\s*5\/5[\s\S]*passed\s*4/);
    }
    const results = page.getByRole('region', { name: 'Latest results' }).getByRole('link');
    expect(await results.count()).toBe(2 * CASES);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('the replay of an attempt that runs is followed to its end', async () => {
    await web.deploy(slowCapitals(['snail'], 6_000));
    const visitor = await web.visit();
    const { page } = visitor;
    const race = ['--pack', 'capital-cities', '--deployment', 'snail', '--max-concurrency', '1'];
    const id = await web.race(race, { isFollowed: false });
    const attemptId = await attemptAtWork(web, id);
    await visitor.open(`/attempts/${attemptId}?tab=events`);
    const isOpen = page.getByRole('region', { name: 'Timeline' }).getByText('open', { exact: true });
    await isOpen.first().waitFor();
    await isOpen.first().waitFor({ state: 'detached', timeout: 60_000 });
    const params = { attempt_id: attemptId };
    const { items } = await web.client.call(routes.attempts.replay, { params, query: { limit: 200 } });
    await page.getByText(`${items.length} steps`).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
    await web.client.call(routes.runs.cancel, { params: { run_id: id } });
  });

  test('a race can be started, paused, resumed and cancelled from the page', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open('/runs/new');
    await page.getByLabel('Pack and version').selectOption({ label: 'capital-cities v1' });
    for (const name of ['alpha', 'beta']) await page.getByLabel(name).check();
    await page.getByLabel('Name (optional)').fill('by hand');
    await page.getByLabel('Repetitions').fill('20');
    await page.getByLabel('Max concurrency (optional)').fill('2');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'by hand' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('cancelled', { exact: true }).first().waitFor({ timeout: 30_000 });
    // The events report that attempts were cancelled before the run is read again.
    await page.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' });
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});

async function finishedOf({ client }: WebFixture, run_id: string): Promise<number> {
  const { progress } = await client.call(routes.runs.get, { params: { run_id } });
  return progress.finished;
}

/** The first attempt of a run that an agent works on. */
async function attemptAtWork({ client }: WebFixture, run_id: string): Promise<string> {
  let found: string | undefined;
  await waitFor(async () => {
    const { items } = await client.call(routes.runs.attempts, { params: { run_id } });
    found = items.find(({ state }) => state === 'running')?.id;
    return found !== undefined;
  });
  return found ?? '';
}

/** Waits until a part of the page reads so. */
async function textOf(part: Locator, pattern: RegExp): Promise<void> {
  await waitFor(async () => pattern.test((await part.textContent()) ?? ''), { timeoutMs: 20_000 });
}
