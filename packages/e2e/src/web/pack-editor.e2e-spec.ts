import { routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { pageProblems } from './testing/accessibility.js';
import { writePack } from './testing/pack-editor.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(120_000);

const IDLE = { name: 'idle', kind: 'scripted' as const, config: {} };

describe('the editor of packs', () => {
  let web: WebFixture;

  beforeAll(async () => {
    web = await WebFixture.start();
  });
  afterAll(async () => await web?.close());

  test('the editor completes keys and values by the schema, and documents the key at the cursor, by keys alone', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open('/packs/check');
    await writePack(page, 'version:\n  execution_mode: ');
    await page.keyboard.press('Control+Space');
    const options = page.getByRole('listbox').getByRole('option');
    await options.filter({ hasText: 'multi_turn' }).waitFor();
    await page.keyboard.type('mul');
    await page.keyboard.press('Enter');
    await page.getByText('execution_mode: multi_turn').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('tool_p');
    await options.filter({ hasText: 'tool_policy' }).waitFor();
    await page.getByText('Which tools the agent may use.').waitFor();
    expect(await pageProblems(visitor)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('tool_policy:').waitFor();
    await page.getByText('Which tools the agent may use.').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+i');
    const documentation = page.getByText('Whether the agent may run commands.');
    await documentation.waitFor();
    await page.keyboard.press('Escape');
    await documentation.waitFor({ state: 'detached' });
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a misspelt key is corrected at its line by a key, and another by the button of its problem', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const good = web.example('challenge-packs/capital-cities.yaml');
    const bad = good
      .replace('family: trivia', 'famly: trivia')
      .replace('difficulty: easy', 'difficulty: eazy');
    await visitor.open('/packs/check');
    await writePack(page, bad);
    const problems = page.getByRole('region', { name: /^Problems/ });
    await problems.getByRole('button', { name: 'Replace with easy' }).click();
    await page.getByText('difficulty: easy').waitFor();
    await problems.getByRole('button', { name: /unknown_key.*famly/ }).click();
    await page.keyboard.press('Control+.');
    await page.getByText('valid', { exact: true }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a template is opened in the editor, and published as it is', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open('/packs');
    await page.getByRole('link', { name: 'New pack' }).click();
    await page.getByLabel('Name').fill('Bookings of tables');
    await page.getByRole('radio', { name: /^multi_turn/ }).check();
    await page.getByRole('button', { name: 'Open in the editor' }).click();
    await page.getByText('bookings-of-tables v1, multi_turn').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bookings of tables v1' }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a published version is edited as the next one, and the changes are shown before and after it is published', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open('/packs/bookings-of-tables');
    await page.getByRole('link', { name: 'v1' }).click();
    await page.getByRole('button', { name: 'Edit as next version' }).click();
    await page.getByText('bookings-of-tables v2, multi_turn').waitFor();
    await page.getByRole('tab', { name: 'Document' }).press('ArrowRight');
    await page.getByText('1 line added, 1 line removed').waitFor();
    await page.getByRole('tabpanel').getByText('number: 2 # a published').last().waitFor();
    expect(await pageProblems(visitor)).toEqual([]);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bookings of tables v2' }).waitFor();
    await page.getByRole('link', { name: 'bookings-of-tables' }).click();
    await page.getByRole('link', { name: 'Compare versions' }).click();
    await page.getByText('1 line added, 1 line removed').waitFor();
    await page.getByText('unchanged lines').first().waitFor();
    await page.getByRole('checkbox', { name: 'Show all lines' }).check();
    await page.getByText('unchanged lines').first().waitFor({ state: 'detached' });
    expect(await pageProblems(visitor)).toEqual([]);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('one case of a text that is not published is run, and is in no list of packs and runs', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await web.client.call(routes.deployments.create, { body: IDLE });
    await visitor.open('/packs/check');
    const text = web.example('challenge-packs/capital-cities.yaml');
    await writePack(page, text.replace('slug: capital-cities', 'slug: untried-cities'));
    await page.getByText('untried-cities v1').waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dry run of one case' });
    await dialog.getByLabel('Case').fill('unknown');
    await dialog.getByLabel('Deployment').selectOption('idle');
    expect(await pageProblems(visitor)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start' }).click();
    await dialog.getByText('Is no case of the input set.').waitFor();
    await dialog.getByLabel('Case').fill('peru');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.getByText('a draft of untried-cities ran', { exact: false }).waitFor();
    await page.getByText('completed', { exact: true }).first().waitFor({ timeout: 60_000 });
    const { items } = await web.client.call(routes.runs.list, {});
    expect(items).toEqual([]);
    const packs = await web.client.call(routes.packs.list, { query: { q: 'untried' } });
    expect(packs.items).toEqual([]);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});
