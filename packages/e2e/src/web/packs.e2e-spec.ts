import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { writePack } from './testing/pack-editor.js';
import { WebWorld } from './testing/web-world.js';

jest.setTimeout(120_000);

describe('an author of packs', () => {
  let world: WebWorld;

  beforeAll(async () => {
    world = await WebWorld.start();
  });
  afterAll(async () => await world?.close());

  test('sees every problem at its line while writing, mends it, publishes, and reads the version', async () => {
    const visitor = await world.visit();
    const { page } = visitor;
    const good = world.example('challenge-packs/capital-cities.yaml');
    const bad = good
      .replace('family: trivia', 'famly: trivia')
      .replace('difficulty: easy', 'difficulty: trivial');
    await visitor.open('/packs/check');
    await writePack(page, bad);
    await page.getByText('not valid', { exact: true }).waitFor();
    const problems = page.getByRole('region', { name: /^Problems/ }).getByRole('button');
    await problems.filter({ hasText: 'famly' }).first().waitFor();
    const line = lineOf(bad, 'famly');
    expect(await problems.filter({ hasText: 'famly' }).first().textContent()).toContain(`${line}:`);
    await problems.filter({ hasText: 'difficulty' }).first().click();
    expect(await page.locator('.cm-activeLine').textContent()).toContain('difficulty: trivial');
    expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);

    await writePack(page, good);
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { level: 1, name: 'Capital cities v1' }).waitFor();
    await page.getByText('Reply with the capital of {{country}} and nothing else.').first().waitFor();
    await page.getByRole('rowheader', { name: 'obedience' }).waitFor();
    await page.getByRole('button', { name: 'Show cases' }).click();
    await page.getByRole('rowheader', { name: 'iceland' }).waitFor();
    expect(visitor.faults).toEqual([]);
    await visitor.leave();
  });

  test('who publishes the same again hears that nothing has changed', async () => {
    const visitor = await world.visit();
    const { page } = visitor;
    await visitor.open('/packs/check');
    await writePack(page, world.example('challenge-packs/capital-cities.yaml'));
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Nothing has changed').waitFor();
    expect(visitor.faults).toEqual([]);
    await visitor.leave();
  });

  test('a pack with files beside it says which are missing, takes them, and is published with them', async () => {
    const visitor = await world.visit();
    const { page } = visitor;
    const folder = 'examples/challenge-packs';
    await visitor.open('/packs/check');
    await page.getByLabel('Open a file').setInputFiles(`${world.repository}/${folder}/sales-questions.yaml`);
    await page.getByText('missing', { exact: true }).first().waitFor();
    await page.getByLabel('Add files').setInputFiles(world.filesBelow(`${folder}/sales-questions`));
    await page.getByText('valid', { exact: true }).waitFor();
    expect(await page.getByText('missing', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Show cases' }).first().waitFor();
    expect(visitor.faults).toEqual([]);
    await visitor.leave();
  });

  test('a document that nests without end does not hold the page up', async () => {
    const visitor = await world.visit();
    await visitor.open('/packs/check');
    await writePack(visitor.page, `pack: ${'['.repeat(20_000)}`);
    await visitor.page.getByText('not valid', { exact: true }).waitFor();
    expect(visitor.faults).toEqual([]);
    await visitor.leave();
  });
});

function lineOf(text: string, word: string): number {
  return text.slice(0, text.indexOf(word)).split('\n').length;
}
