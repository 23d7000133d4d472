import { routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { writePack } from './testing/pack-editor.js';
import { deployByHand, raceByHand } from './testing/race-by-hand.js';
import type { Visitor } from './testing/visitor.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(240_000);

const ORACLE = {
  name: 'oracle',
  kind: 'scripted',
  config: {
    by_case: Object.fromEntries(
      Object.entries({
        peru: 'Lima',
        malta: 'Valletta',
        kenya: 'Nairobi',
        nepal: 'Kathmandu',
        iceland: 'Reykjavík',
      }).map(([key, capital]) => [key, [{ answer: capital }]]),
    ),
  },
};
const IDLE = { name: 'idle', kind: 'scripted', config: { steps: [{ answer: 'I prefer not to.' }] } };

/** One author at one browser: each test continues where the one before it ended. */
describe('an author of packs with an address and a token', () => {
  let web: WebFixture;
  let visitor: Visitor;
  let first: string;

  beforeAll(async () => {
    web = await WebFixture.start();
    visitor = await web.visit({ token: undefined });
  });
  afterAll(async () => {
    await visitor?.leave();
    await web?.close();
  });

  test('the author signs in, corrects the pack at the line that is wrong, and publishes it', async () => {
    const { page } = visitor;
    const body = { name: 'author', role: 'member' } as const;
    const { token } = await web.client.call(routes.tokens.create, { body });
    const pack = web.example('challenge-packs/capital-cities.yaml');
    await visitor.open('/');
    await visitor.signIn(token);
    await page.getByRole('link', { name: 'Publish a pack' }).click();
    await writePack(page, pack.replace('target: final_output', 'target: final_text'));
    await page.getByText('not valid', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: /^Problems/ })
      .getByRole('button')
      .first()
      .waitFor();
    await writePack(page, pack);
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { level: 1, name: 'Capital cities v1' }).waitFor();
  });

  test('the author makes an agent with every solution and one with none, and races them on the version', async () => {
    const { page } = visitor;
    await deployByHand(page, ORACLE);
    await deployByHand(page, IDLE);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Packs' }).click();
    await page.getByRole('link', { name: 'Capital cities' }).click();
    await page.getByRole('link', { name: /^v?1$/ }).first().click();
    await page.getByRole('link', { name: 'Start a run' }).click();
    first = await raceByHand(page, { name: 'does it distinguish them', deployments: ['oracle', 'idle'] });
    expect(first).toMatch(/^[\da-f-]{36}$/);
  });

  test('the author sees in the ranking that the pack distinguishes them, and why the idle one failed', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Ranking', exact: true }).click();
    const rows = page.getByRole('region', { name: 'Ranking' }).getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.nth(1).textContent()).toMatch(/^1.*oracle.*1\.000.*passed/);
    expect(await rows.nth(2).textContent()).toMatch(/^2.*idle.*0\.\d{3}.*failed/);
    await page.getByRole('link', { name: 'Failures', exact: true }).click();
    await page.getByRole('button', { name: /^idle/ }).first().click();
    await page.getByRole('listitem').getByRole('link', { name: 'peru', exact: true }).last().click();
    await page.getByText('I prefer not to.').first().waitFor();
    await page.getByRole('link', { name: 'Scores', exact: true }).click();
    await page.getByRole('rowheader', { name: /mentioned/ }).waitFor();
  });

  test('the author races the same again, and the comparison finds no difference in any case', async () => {
    const { page } = visitor;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: 'Start a run' }).click();
    const again = await raceByHand(page, { name: 'again', deployments: ['oracle', 'idle'] });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
    await visitor.open(`/compare?baseline=${first}&candidate=${again}`);
    for (const name of ['oracle', 'idle']) {
      const measures = page.getByRole('region', { name: `${name} against ${name}`, exact: true }).first();
      await measures.getByRole('row', { name: /overall.*inconclusive/ }).waitFor();
      expect(await measures.getByText(/^(better|worse)$/).count()).toBe(0);
    }
  });

  test('the author publishes a next version beside the first, whose runs keep the version that they raced on', async () => {
    const { page } = visitor;
    const next = web
      .example('challenge-packs/capital-cities.yaml')
      .replace('\n  number: 1', '\n  number: 2')
      .replace('max: 3', 'max: 2');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Packs' }).click();
    await page
      .getByRole('link', { name: /Publish|Check/ })
      .first()
      .click();
    await writePack(page, next);
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { level: 1, name: 'Capital cities v2' }).waitFor();
    await visitor.open(`/runs/${first}`);
    await page.getByRole('link', { name: 'capital-cities v1' }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
  });
});
