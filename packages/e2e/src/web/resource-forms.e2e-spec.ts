import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { pageProblems } from './testing/accessibility.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(240_000);

describe('the forms of accounts, aliases and deployments', () => {
  let web: WebFixture;

  beforeAll(async () => {
    web = await WebFixture.start();
  }, 240_000);
  afterAll(async () => await web?.close());

  test('an account, an alias of it and a deployment of the alias are made by forms, and tests report what fails', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.open('/models');
    await page.getByRole('button', { name: 'New provider account' }).click();
    await dialog.getByLabel('Name').fill('nowhere');
    await dialog.getByLabel('Provider', { exact: true }).selectOption('openai_compatible');
    await dialog.getByRole('button', { name: 'Create' }).click();
    // The YAML of the other tab, which is hidden, has the problem too.
    await dialog.locator('[aria-invalid=true]').filter({ visible: true }).waitFor();
    expect(await dialog.getByLabel('Base URL').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Base URL').fill('https://127.0.0.1:9/v1');
    expect(await pageProblems(visitor)).toEqual([]);
    await dialog.getByRole('tab', { name: 'Form' }).press('ArrowRight');
    expect(await dialog.getByLabel('Spec', { exact: true }).inputValue()).toBe(
      'name: nowhere\nprovider_key: openai_compatible\nbase_url: https://127.0.0.1:9/v1\n',
    );
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('rowheader', { name: 'nowhere' }).waitFor();

    await page.getByRole('button', { name: 'New model alias' }).click();
    await dialog.getByLabel('Name').fill('absent');
    await dialog.getByLabel('Provider account').selectOption({ label: 'nowhere (openai_compatible)' });
    await dialog.getByLabel('Model', { exact: true }).fill('no-such-model');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Test absent' }).click();
    await page.getByText(/^(?:Address refused|Unavailable)$/).waitFor({ timeout: 60_000 });

    await page.getByRole('link', { name: 'Deployments', exact: true }).click();
    await page.getByRole('button', { name: 'New deployment' }).click();
    await dialog.getByLabel('Name').fill('careful');
    await dialog.getByLabel('Model alias').selectOption('absent');
    await dialog.getByLabel('Temperature').fill('0.2');
    expect(await pageProblems(visitor)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: /careful.*model absent/ }).waitFor();
    await page.getByRole('button', { name: 'Edit careful' }).click();
    expect(await dialog.getByLabel('Temperature').inputValue()).toBe('0.2');
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});
