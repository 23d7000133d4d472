import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { writePack } from './testing/pack-editor.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(120_000);

describe('an author of packs', () => {
  let web: WebFixture;

  beforeAll(async () => {
    web = await WebFixture.start();
  });
  afterAll(async () => await web?.close());

  test('the author sees every problem at its line while writing, corrects it, publishes, and reads the version', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const good = web.example('challenge-packs/capital-cities.yaml');
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
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('publishing the same pack again reports that nothing has changed', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open('/packs/check');
    await writePack(page, web.example('challenge-packs/capital-cities.yaml'));
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Already published as').waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a pack with files beside it lists the missing ones, takes them, and is published with them', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const folder = 'examples/challenge-packs';
    await visitor.open('/packs/check');
    await page.getByLabel('Open a file').setInputFiles(`${web.repository}/${folder}/sales-questions.yaml`);
    await page.getByText('missing', { exact: true }).first().waitFor();
    await page.getByLabel('Add files').setInputFiles(web.filesBelow(`${folder}/sales-questions`));
    await page.getByText('valid', { exact: true }).waitFor();
    expect(await page.getByText('missing', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Show cases' }).first().waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('the rows of a data file are the cases of a version, in pages, and a wrong row is named before it is published', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const rows = Array.from({ length: 120 }, (_each, index) => `sum-${index},${index},${index + 1}`);
    const give = async (lines: readonly string[]) => {
      const buffer = Buffer.from(['id,left,total', ...lines].join('\n'));
      await page.getByLabel('Add files').setInputFiles({ name: 'sums.csv', mimeType: 'text/csv', buffer });
    };
    await visitor.open('/packs/check');
    await writePack(page, SUMS_OF_A_FILE);
    await page.getByText('missing', { exact: true }).waitFor();
    await give([...rows, 'sum-121,121']);
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'row 121: has 2 values, and the header names 3 columns' }).waitFor();

    await give(rows);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sums of a file v1' }).waitFor();
    await page.getByRole('row', { name: /all.*120/ }).waitFor();
    await page.getByRole('button', { name: 'Show cases' }).click();
    const cases = page.getByRole('rowheader', { name: /^sum-/ });
    await cases.first().waitFor();
    expect(await cases.count()).toBeLessThan(120);
    const more = page.getByRole('button', { name: 'More cases' });
    for (let shown = await cases.count(); shown < 120; shown = await cases.count()) {
      await more.click();
      await cases.nth(shown).waitFor();
    }
    expect(await more.count()).toBe(0);
    expect(await cases.allTextContents()).toEqual(rows.map((row) => row.split(',')[0]));
    await page
      .getByRole('row', { name: /^sum-119/ })
      .getByRole('button', { name: 'Show' })
      .click();
    const shown = page.getByRole('dialog', { name: 'sum-119' });
    await shown.getByText('What is 119 + 1?').first().waitFor();
    expect(visitor.pageErrors).toEqual([]);

    await visitor.open('/packs/check');
    await give(rows);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Already published as').waitFor();
    await give(rows.slice(0, 3));
    await page.getByRole('button', { name: 'Publish' }).click();
    await alert.filter({ hasText: 'was published with another content of' }).waitFor();
    await visitor.leave();
  });

  test('the subject of an input set is shown where people choose, and its inputs by their kinds', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const folder = 'examples/challenge-packs';
    await visitor.open('/packs/check');
    await page.getByLabel('Open a file').setInputFiles(`${web.repository}/${folder}/invoices.yaml`);
    await page.getByText('missing', { exact: true }).first().waitFor();
    await page.getByLabel('Add files').setInputFiles(web.filesBelow(`${folder}/invoices`));
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { level: 1, name: 'Invoices v1' }).waitFor();

    await visitor.open('/packs/invoices');
    const sets = page.getByRole('region', { name: 'Input sets', exact: true });
    await sets
      .getByRole('row', { name: /by-inputs.*Invoices as Markdown, as a table and as JSON/ })
      .waitFor();
    await page.getByRole('link', { name: 'v1' }).first().click();
    await sets.getByText('An invoice as a CSV file').waitFor();

    const shown = async (set: RegExp, name: string) => {
      await sets.getByRole('row', { name: set }).getByRole('button', { name: 'Show cases' }).click();
      await page
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .getByRole('button', { name: 'Show' })
        .click();
      return page.getByRole('dialog', { name });
    };
    const letter = await shown(/by-inputs/, 'letter');
    await letter.getByRole('listitem').filter({ hasText: 'Ink: 30.00' }).waitFor();
    expect(await letter.locator('strong').first().textContent()).toBe('12.50');
    await letter.getByRole('button', { name: 'Close' }).click();
    await page
      .getByRole('row', { name: /^table/ })
      .getByRole('button', { name: 'Show' })
      .click();
    const table = page.getByRole('dialog', { name: 'table' });
    await table.getByRole('row', { name: 'Discount -8' }).waitFor();
    await table.getByRole('button', { name: 'Close' }).click();
    const march = await shown(/by-files/, 'march');
    await march.getByRole('button', { name: 'Show invoice' }).click();
    await march.getByRole('row', { name: 'Envelopes 5.60' }).waitFor();
    await march.getByText('artifact:gold', { exact: true }).waitFor();
    await march.getByRole('button', { name: 'Close' }).click();

    await web.deploy(web.example('deployments/invoices.yaml'));
    await page.getByRole('link', { name: 'Start a run' }).click();
    await page.getByText('by-payload: Invoices as a map of amounts, in the payload.').waitFor();
    await page.getByLabel('Input set').selectOption({ label: 'by-files (1 cases)' });
    await page.getByText('An invoice as a CSV file; its total lies in a file that no agent gets.').waitFor();
    expect(await page.getByText('Invoices as a map of amounts').count()).toBe(0);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a document that nests without end does not block the page', async () => {
    const visitor = await web.visit();
    await visitor.open('/packs/check');
    await writePack(visitor.page, `pack: ${'['.repeat(20_000)}`);
    await visitor.page.getByText('not valid', { exact: true }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});

const SUMS_OF_A_FILE = `
pack: {slug: sums-of-a-file, name: Sums of a file, family: arithmetic}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: sums
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: total, type: exact_match, target: final_output, expected_from: case.expectations.total}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: add, title: Add, category: arithmetic, difficulty: easy, instructions: '{{question}}'}
input_sets:
  - key: all
    name: all
    cases_from:
      path: data/sums.csv
      case_key: '{{row.id}}'
      challenge_key: add
      payload: {question: 'What is {{row.left}} + 1?'}
      expectations: [{key: total, kind: text, value: '{{row.total}}'}]
`;

function lineOf(text: string, word: string): number {
  return text.slice(0, text.indexOf(word)).split('\n').length;
}
