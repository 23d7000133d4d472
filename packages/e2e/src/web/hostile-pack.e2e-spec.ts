import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { everyScreen } from './testing/screens.js';
import { WebFixture } from './testing/web-fixture.js';

/** Runs if any of it is taken for markup or for a script. */
const MARKUP = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
const LINK = "javascript:document.title='taken'";

const quoted = (text: string) => JSON.stringify(text);

/** A pack all of whose free texts carry markup. */
const HOSTILE_PACK = `
pack: {slug: hostile, name: ${quoted(MARKUP)}, family: ${quoted(LINK)}, description: ${quoted(MARKUP)}}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: hostile
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.markup}
    scorecard: {strategy: weighted, pass_threshold: 0.5, dimensions: [{key: correctness, validators: [exact]}]}
challenges:
  - {key: markup, title: ${quoted(MARKUP)}, category: ${quoted(MARKUP)}, difficulty: easy, instructions: ${quoted(MARKUP)}}
input_sets:
  - key: default
    name: ${quoted(MARKUP)}
    description: ${quoted(MARKUP)}
    cases:
      - challenge_key: markup
        case_key: first
        payload: {text: ${quoted(MARKUP)}}
        expectations: [{key: markup, kind: text, value: ${quoted(MARKUP)}}]
`;

/** Agents whose output is markup, under names that are markup. */
const HOSTILE_DEPLOYMENTS = `
deployments:
  - {name: ${quoted(`${MARKUP} a`)}, kind: scripted, config: {steps: [{message: ${quoted(MARKUP)}}, {answer: ${quoted(MARKUP)}}]}}
  - {name: ${quoted(`${LINK} b`)}, kind: scripted, config: {steps: [{answer: ${quoted(`${LINK} ${MARKUP}`)}}]}}
`;

jest.setTimeout(240_000);

describe('a pack and agents whose names, outputs and events are markup and scripts', () => {
  let web: WebFixture;
  let runId: string;

  beforeAll(async () => {
    web = await WebFixture.start();
    await web.prepare(HOSTILE_PACK, HOSTILE_DEPLOYMENTS);
    const { items: deployments } = await web.client.call(routes.deployments.list);
    const { items: packs } = await web.client.call(routes.packs.list);
    const run = await web.client.call(routes.runs.create, {
      body: {
        challenge_pack_version_id: packs[0]?.versions[0]?.id ?? '',
        deployment_ids: deployments.map(({ id }) => id),
        name: MARKUP,
        labels: { [MARKUP.slice(0, 60)]: MARKUP },
      },
    });
    runId = run.id;
    await waitFor(
      async () =>
        (await web.client.call(routes.runs.get, { params: { run_id: runId } })).status === 'completed',
      { timeoutMs: 60_000 },
    );
  }, 180_000);
  afterAll(async () => await web?.close());

  test('markup of a pack and its agents runs on no screen, and is shown as text', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    for (const address of await everyScreen(web, runId)) {
      await visitor.open(address);
      expect({ address, title: await page.title() }).not.toMatchObject({ title: 'taken' });
      expect({ address, images: await page.locator('img, iframe, main script').count() }).toEqual({
        address,
        images: 0,
      });
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((link) => String(link.getAttribute('href'))));
      expect(links.filter((link) => new URL(link, page.url()).origin !== web.url)).toEqual([]);
    }
    await visitor.open(`/runs/${runId}`);
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    expect(title.replace(/^#\d+ /, '')).toBe(MARKUP);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});
