import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { raceByHand } from './testing/race-by-hand.js';
import { atLength, capitalsAgent, twelveCapitals } from './testing/twelve-capitals.js';
import type { Visitor } from './testing/visitor.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(240_000);

const AGENTS = ['concise', 'chatty'];

/** One team at one browser: each test continues where the one before it ended. */
describe('a team that makes agents', () => {
  let web: WebFixture;
  let visitor: Visitor;
  let accepted: string;

  beforeAll(async () => {
    web = await WebFixture.start();
    await web.prepare(
      twelveCapitals(web.example('challenge-packs/capital-cities.yaml')),
      JSON.stringify({ deployments: [capitalsAgent('concise'), capitalsAgent('chatty', atLength)] }),
    );
    visitor = await web.visit({ token: undefined });
  });
  afterAll(async () => {
    await visitor?.leave();
    await web?.close();
  });

  test('the team signs in, starts a race, and sees the ranking with its intervals', async () => {
    const { page } = visitor;
    const body = { name: 'team', role: 'member' } as const;
    const { token } = await web.client.call(routes.tokens.create, { body });
    await visitor.open('/');
    await visitor.signIn(token);
    await page.getByRole('link', { name: 'Start a run' }).first().click();
    accepted = await raceByHand(page, { name: 'monday', deployments: AGENTS, repetitions: 2 });
    await page.getByRole('link', { name: 'Ranking', exact: true }).click();
    const rows = page.getByRole('region', { name: 'Ranking' }).getByRole('row');
    await rows.nth(2).waitFor();
    // A mean, and its interval.
    expect(await rows.nth(1).textContent()).toMatch(/^1.*concise.*1\.000.*\[/);
    expect(await rows.nth(2).textContent()).toMatch(/^2.*chatty/);
  });

  test('one click on a lost case of the matrix shows what was expected and what each agent returned; then transcript and events follow', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Case matrix' }).click();
    await page.getByLabel('Sort by').selectOption('hardest');
    const matrix = page.getByRole('region', { name: 'Case matrix' });
    // The case, then the agents in their order.
    await matrix.getByRole('row').nth(1).getByRole('link').nth(2).click();
    await page.waitForURL(/\/cases\/.*agent=.*order=hardest/);
    const lost = page.getByRole('article', { name: 'output of chatty' });
    const compared = lost.getByText(/expected .+, got |^Got$/i).first();
    await compared.waitFor();
    expect(await page.getByRole('region', { name: 'Expected', exact: true }).textContent()).not.toBe(
      'Expected',
    );
    await page.getByRole('article', { name: 'output of concise' }).getByText('passed').first().waitFor();
    // The keys open the links to other cases, which appear once their order is known.
    await page.getByText(/^1 of 12$/).waitFor();
    await page.keyboard.press('j');
    await page.getByText(/^2 of 12$/).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/^1 of 12$/).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await compared.waitFor();
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1280, height: 900 });
    await lost.getByRole('link', { name: /^Transcript/ }).click();
    await page.getByRole('region', { name: /^Failed checks/ }).waitFor();
    await page.getByRole('list', { name: 'Transcript' }).getByRole('article').first().waitFor();
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first().waitFor();
    await page.getByLabel('Compare with').selectOption({ label: 'concise' });
    await page.waitForURL(/with=/);
    await page
      .getByRole('strong')
      .filter({ hasText: /^concise$/ })
      .waitFor();
    const names = page.getByRole('strong').filter({ hasText: /^(chatty|concise)$/ });
    expect(await names.allTextContents()).toEqual(['chatty', 'concise']);
    await page.getByText('lovely place to visit').first().waitFor();
  });

  test('the team accepts the run as the baseline, corrects the agent, races again, and sees that it is better', async () => {
    const { page } = visitor;
    await visitor.open(`/compare?baseline=${accepted}&candidate=${accepted}`);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('Baseline default set to this run.').waitFor();

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deployments' }).click();
    await page.getByRole('button', { name: 'Edit chatty' }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'YAML' }).click();
    const spec = page.getByRole('dialog').getByLabel('Spec', { exact: true });
    await spec.fill(JSON.stringify(capitalsAgent('chatty')));
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /chatty.*scripted.*2/ }).waitFor();

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: 'Start a run' }).first().click();
    const candidate = await raceByHand(page, { name: 'tuesday', deployments: AGENTS, repetitions: 2 });
    await visitor.open(`/compare?baseline=default&candidate=${candidate}`);
    const comparison = page.getByRole('region', { name: 'chatty against chatty', exact: true }).first();
    await comparison.getByRole('row', { name: /overall.*better/ }).waitFor();
    const same = page.getByRole('region', { name: 'concise against concise', exact: true }).first();
    await same.getByRole('row', { name: /overall.*inconclusive/ }).waitFor();
  });

  test('the team races two agents until the verdict is known, and sees which one is better and what was saved', async () => {
    const { page } = visitor;
    const slow = (name: string, phrase?: (capital: string) => string) => {
      const agent = capitalsAgent(name, phrase);
      for (const steps of Object.values(agent.config.by_case)) Object.assign(steps[0], { delay_ms: 400 });
      return agent;
    };
    await web.deploy(JSON.stringify({ deployments: [slow('sure'), slow('lost', () => 'no idea')] }));
    await visitor.open('/runs/new');
    await raceByHand(page, {
      ...{ name: 'decided', deployments: ['sure', 'lost'] },
      ...{ maxConcurrency: 2, isDecided: true },
    });
    await page.getByText('stopped: decided').waitFor();
    await page.getByText(/^decided after \d+ of 12 cases, \d+ attempts saved$/).waitFor();
    const lane = page.getByRole('listitem', { name: 'Lane lost' });
    await lane.getByText(/left after \d+ cases: sure is better, \d+ attempts skipped/).waitFor();
    expect(await lane.textContent()).toMatch(/done(\d+)\/\1passed0/);
    const pairs = page.getByRole('list', { name: 'Pairs of the race' });
    await pairs.getByText('sure is better than lost').waitFor();
    await page.getByRole('link', { name: 'Ranking', exact: true }).click();
    await page.getByRole('columnheader', { name: 'Overall (95 % confidence sequence)' }).waitFor();
    const verdict = page.getByRole('region', { name: 'Verdicts' }).getByRole('row').nth(1);
    expect(await verdict.textContent()).toMatch(/sure against .*lost.*better.*\[.*\]/);
  });

  test('the team pauses a race, in which then nothing runs while cases are left, and resumes it to its end', async () => {
    const { page } = visitor;
    const { config } = capitalsAgent('steady');
    const by_case = Object.fromEntries(
      Object.entries(config.by_case).map(([key, [step]]) => [key, [{ ...step, delay_ms: 500 }]]),
    );
    await web.deploy(
      JSON.stringify({ deployments: [{ name: 'steady', kind: 'scripted', config: { by_case } }] }),
    );
    const words = [
      '--pack',
      'capital-cities',
      '--deployment',
      'steady',
      '--max-concurrency',
      '1',
      '--name',
      'stopped',
    ];
    const id = await web.race(words, { isFollowed: false });
    await visitor.open(`/runs/${id}/arena`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const progressOf = async () => {
      const { status, progress } = await web.client.call(routes.runs.get, { params: { run_id: id } });
      return { status, ...progress };
    };
    await waitFor(async () => (await progressOf()).running === 0, { timeoutMs: 30_000 });
    const paused = await progressOf();
    expect(paused).toMatchObject({ status: 'paused', queued: 12 - paused.finished });
    expect(paused.queued).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The race has ended.').waitFor({ timeout: 60_000 });
    expect(await progressOf()).toMatchObject({ finished: 12, scored: 12 });
    expect(visitor.pageErrors).toEqual([]);
  });
});
