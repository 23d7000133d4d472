import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(240_000);

const PACK = 'capital-cities';

describe('human review in the web app', () => {
  let web: WebFixture;
  let runId: string;

  beforeAll(async () => {
    web = await WebFixture.start();
    const pack = web
      .example(`challenge-packs/${PACK}.yaml`)
      .replace(/^( +)dimensions:$/m, '$&\n$1  - {key: liked, source: human_preference}');
    await web.prepare(pack, web.example(`deployments/${PACK}.yaml`));
    runId = await web.race(['--pack', PACK, '--deployment', 'concise', '--deployment', 'chatty']);
  }, 180_000);
  afterAll(async () => await web?.close());

  test('a person reviews all pairs of a run by keys, undoes one, and the votes become scores', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open(`/runs/${runId}`);
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    const progress = (reviewed: number) =>
      page.getByText(`${reviewed} of 6 reviewed by you`).first().waitFor();
    const ready = () => page.locator('main button[aria-keyshortcuts="1"]:enabled').waitFor();
    await progress(0);
    for (let reviewed = 0; reviewed < 6; reviewed += 1) {
      await ready();
      // The shorter one is the concise agent's, on whichever side.
      const [left = '', right = ''] = await page
        .locator('main section[aria-label$=", text"]')
        .allInnerTexts();
      expect(left).not.toBe(right);
      expect(await page.locator('main').textContent()).not.toMatch(/concise|chatty/);
      await page.keyboard.press(left.length < right.length ? '1' : '2');
      if (reviewed === 0) {
        await progress(1);
        await ready();
        await page.keyboard.press('u');
        await progress(0);
        await ready();
        await page.keyboard.press(left.length < right.length ? '1' : '2');
      }
      await progress(reviewed + 1);
    }
    await page.getByText('Nothing is left to review').waitFor();
    await page.getByRole('link', { name: 'See the agreement' }).click();
    await page.getByRole('row', { name: /^concise 5 5 1\.000$/ }).waitFor();
    await page.getByRole('button', { name: 'Score the run with the votes' }).click();
    await page.getByText('The run is being scored again').waitFor();
    const liked = await waitFor(async () => {
      const { items } = await web.client.call(routes.runs.ranking, { params: { run_id: runId } });
      const scores = items.map(({ name, dimensions }) => [name, JSON.stringify(dimensions)] as const);
      return scores.every(([, text]) => text.includes('liked')) ? scores : undefined;
    });
    expect(liked.map(([name]) => name).sort()).toEqual(['chatty', 'concise']);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});
