import { routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { pageProblems } from './testing/accessibility.js';
import type { Visitor } from './testing/visitor.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(180_000);

const RACE = ['--pack', 'capital-cities', '--deployment', 'concise', '--deployment', 'chatty'];

describe('runs that are worked with', () => {
  let web: WebFixture;
  let visitor: Visitor;
  let first: string;

  beforeAll(async () => {
    web = await WebFixture.start();
    await web.prepare(
      web.example('challenge-packs/capital-cities.yaml'),
      web.example('deployments/capital-cities.yaml'),
    );
    first = await web.race(RACE);
    visitor = await web.visit();
  }, 180_000);
  afterAll(async () => {
    await visitor?.leave();
    await web?.close();
  });

  test('a run is given a name, a note and labels, and a notice reports it', async () => {
    const { page } = visitor;
    await visitor.open(`/runs/${first}`);
    await page.getByRole('button', { name: /^Edit/ }).click();
    const form = page.getByRole('form', { name: 'Name, note and labels' });
    await form.getByLabel('Name').fill('nightly');
    await form.getByLabel('Note').fill('with the new prompt');
    await form.getByLabel('Labels').fill('team=search');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: /nightly$/ }).waitFor();
    const notices = page.getByRole('status', { name: 'Notifications' });
    await notices.getByText('Run changed').waitFor();
    // A notice stays as long as the pointer is on it, however long the check of the page takes.
    await notices.getByText('Run changed').hover();
    expect(await pageProblems(visitor)).toEqual([]);
    await notices.getByRole('button', { name: 'Dismiss' }).click();
    await notices.getByText('Run changed').waitFor({ state: 'detached' });
    const run = await web.client.call(routes.runs.get, { params: { run_id: first } });
    expect(run).toMatchObject({ name: 'nightly', note: 'with the new prompt', labels: { team: 'search' } });
    // Its number is an address as well.
    await visitor.open(`/runs/${run.number}/failures`);
    await page.waitForURL(`**/runs/${first}/failures`);
  });

  test('a run is run again, and two ticks compare both', async () => {
    const { page } = visitor;
    await visitor.open(`/runs/${first}`);
    await page.getByRole('button', { name: 'Run again' }).click();
    const confirmation = page.getByRole('dialog', { name: /again\?$/ });
    await confirmation.getByText(/^2 agents: /).waitFor();
    await confirmation.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL(
      (url) => /^\/runs\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(first),
    );
    const second = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await web.product.run(['run', 'show', second, '--follow'], { timeoutMs: 120_000 });

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
    const boxes = page.getByRole('checkbox', { name: /^Compare #/ });
    for (const box of [boxes.first(), boxes.nth(1)]) await box.check();
    await page.getByRole('link', { name: 'Compare runs' }).click();
    await page.waitForURL('**/compare?*');
    const query = new URL(page.url()).searchParams;
    expect([query.get('baseline'), query.get('candidate')]).toEqual([first, second]);
    await page.getByRole('region', { name: 'chatty against chatty', exact: true }).first().waitFor();

    // The runs of a pack and of a deployment are a course of results.
    await visitor.open('/packs/capital-cities');
    const course = page.getByRole('region', { name: 'The mean score of each run' });
    await course.getByRole('row', { name: /^#1 nightly/ }).waitFor();
    expect(await course.getByRole('row').count()).toBe(3);
    await page.getByLabel('Measure').selectOption('median time');
    await page.getByRole('region', { name: 'The median time of each run' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deployments' }).click();
    await page.getByRole('link', { name: 'chatty', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'chatty' }).waitFor();
    await page.locator('svg a').first().click();
    await page.waitForURL(`**/runs/${first}`);
  });

  test('one click leads from a red cell to the expected value and the output of the agent', async () => {
    const { page } = visitor;
    await visitor.open(`/runs/${first}/matrix`);
    await page
      .getByRole('link', { name: /failed$/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Expected' }).first().waitFor();
    const params = { run_id: first };
    const { items } = await web.client.call(routes.runs.attempts, { params });
    const caseKey = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
    const agent = new URL(page.url()).searchParams.get('agent');
    const attempt = items.find((each) => each.case_key === caseKey && each.run_agent_id === agent);
    expect(attempt?.passed).toBe(false);
    const full = await web.client.call(routes.attempts.get, { params: { attempt_id: attempt?.id ?? '' } });
    const output = String(full.final_output).slice(0, 20);
    await page.getByText(output).first().waitFor();
    expect(visitor.pageErrors).toEqual([]);
  });
});
