import { routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(240_000);

const PACK = 'capital-cities';

describe('releases in the web app', () => {
  let web: WebFixture;
  let accepted: string;
  let worse: string;

  beforeAll(async () => {
    web = await WebFixture.start();
    await web.prepare(web.example(`challenge-packs/${PACK}.yaml`), web.example(`deployments/${PACK}.yaml`));
    accepted = await web.race(['--pack', PACK, '--deployment', 'concise', '--name', 'release 1']);
    worse = await web.race(['--pack', PACK, '--deployment', 'chatty', '--name', 'release 2']);
  }, 180_000);
  afterAll(async () => await web?.close());

  test('an accepted run and a policy stop the next run, with its reasons and evidence', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open(`/runs/${worse}/gate`);
    await page.getByText(/No baseline of capital-cities, input set .+, yet/).waitFor();

    await visitor.open(`/runs/${accepted}/gate`);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('Baseline default set to this run.').waitFor();

    await visitor.open('/gates');
    await page.getByRole('button', { name: 'New gate policy' }).click();
    const spec = {
      name: 'strict',
      comparisons: { obedience: { max_regression: { warn: 0.05, fail: 0.2 } } },
    };
    await page.getByLabel('Spec', { exact: true }).fill(JSON.stringify(spec));
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('obedience: warns from 0.05, fails from 0.2').waitFor();

    await visitor.open(`/runs/${worse}/gate`);
    await page.getByLabel('Policy').selectOption('strict');
    await page.getByRole('button', { name: 'Run gate' }).click();
    const verdict = page.getByRole('status').filter({ hasText: 'by policy strict' });
    await verdict.getByText('✗ fail').waitFor();
    await verdict.getByText('obedience: lost more than the policy lets pass').waitFor();
    await verdict.getByRole('link', { name: 'Comparison', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Comparison of a gate decision' }).waitFor();
    await page.getByRole('heading', { name: 'chatty against concise', exact: true }).waitFor();

    const { items } = await web.client.call(routes.gates.list, { query: { candidate_run_id: worse } });
    expect(items).toMatchObject([
      { verdict: 'fail', reasons: ['regression_fail:obedience'], baseline_run_id: accepted },
    ]);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a viewer sees the decisions, and is offered nothing that would be refused', async () => {
    const { token } = await web.client.call(routes.tokens.create, {
      body: { name: 'looks', role: 'viewer' },
    });
    const visitor = await web.visit({ token });
    const { page } = visitor;
    await visitor.open(`/runs/${worse}/gate`);
    await page.getByText('obedience: lost more than the policy lets pass').waitFor();
    const offered = ['Run gate', 'Accept', 'Retry failed attempts', 'Re-score'].map((name) =>
      page.getByRole('button', { name }).count(),
    );
    expect(await Promise.all(offered)).toEqual([0, 0, 0, 0]);
    await visitor.open('/gates');
    expect(await page.getByRole('button', { name: /Remove|New gate policy|Edit/ }).count()).toBe(0);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('the web app finds runs to compare by part of their name, among all existing runs', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open('/compare');
    await page.getByRole('button', { name: /^Baseline/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Search').fill('LEASE 1');
    await dialog.getByText('release 2').waitFor({ state: 'detached' });
    // Not the baseline, which names its run.
    await dialog.getByRole('button', { name: /^#\d+ release 1/ }).click();
    await page.getByRole('button', { name: /^Candidate/ }).click();
    await dialog.getByLabel('Search').fill('no such run');
    await dialog.getByText('No completed runs match').waitFor();
    await dialog.getByLabel('Search').fill('release 2');
    await dialog.getByRole('button', { name: /release 2/ }).click();
    await page.getByRole('heading', { name: 'chatty against concise', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe(`?baseline=${accepted}&candidate=${worse}`);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('every number from a rank to the deciding event opens its evidence', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open(`/runs/${worse}/ranking`);
    await page.getByRole('region', { name: 'Dimensions' }).getByRole('link').first().click();
    const cases = page.getByRole('region', { name: /^Cases/ }).first();
    await cases.getByRole('link', { name: '0.000' }).first().click();
    await page.getByRole('link', { name: 'Scores', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Validators' }).waitFor();
    await page
      .getByRole('link', { name: /^events? \d+/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Timeline' }).getByRole('button', { expanded: true }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a baseline is not replaced before that was confirmed, and visits of pages decide nothing', async () => {
    const scope = { params: { name: 'default' }, query: { pack: PACK } };
    const runOf = async () => (await web.client.call(routes.baselines.get, scope)).run_id;
    const decisions = async () => (await web.client.call(routes.gates.list, {})).items.length;
    const before = await decisions();
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open(`/runs/${worse}/gate`);
    await page.getByRole('button', { name: 'Accept' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('release 1').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await runOf()).toBe(accepted);

    await page.getByRole('button', { name: 'Accept' }).click();
    await question.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('Baseline default set to this run.').waitFor();
    expect(await runOf()).toBe(worse);
    for (const path of [
      `/runs/${worse}/ranking`,
      `/compare?baseline=default&candidate=${accepted}`,
      '/gates',
    ]) {
      await visitor.open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    expect(await decisions()).toBe(before);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('every baseline is offered to a gate, however many there are', async () => {
    const names = Array.from({ length: 205 }, (_, n) => `kept-${n}`);
    for (const name of names) {
      await web.client.call(routes.baselines.set, { params: { name }, body: { run_id: accepted } });
    }
    const visitor = await web.visit();
    await visitor.open(`/runs/${worse}/gate`);
    const field = visitor.page.getByLabel('Baseline', { exact: true });
    await field.selectOption('kept-204');
    const offered = await field
      .locator('option')
      .evaluateAll((options) => options.map(({ value }: { value?: string }) => value));
    expect(offered).toEqual(expect.arrayContaining(names));
    await visitor.leave();
  });
});
