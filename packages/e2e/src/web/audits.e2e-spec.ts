import { readFileSync } from 'node:fs';
import path from 'node:path';
import { routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { repository } from '../product.js';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(240_000);
/** An audit runs some fifty trials in sandboxes, on a machine with other work. */
const ENDED = { timeout: 180_000 };

const BAD = path.join(repository, 'packages/pack-audit/src/testing/bad-packs/visible-expectation.yaml');
const SLUG = 'visible-expectation';
/** Of its certificate. */
const FAILED = /^quick audit failed: /;
/** Its solution runs until it is cancelled. */
const SLOW = `
pack: {slug: slow, name: Slow, family: test}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file]}
  evaluation_spec:
    name: slow
    version_number: 1
    judge_mode: deterministic
    validators: [{key: word, type: exact_match, target: final_output, expected_from: "literal:yes"}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: c, title: Wait, category: test, difficulty: easy, instructions: Wait., solution: {run: sleep 600, timeout_seconds: 600}}
input_sets: [{key: default, name: Default, cases: [{challenge_key: c, case_key: only, payload: {}}]}]
`;

describe('audits in the web app', () => {
  let web: WebFixture;
  let version_id: string;
  let run: string;

  beforeAll(async () => {
    web = await WebFixture.start();
    await web.prepare(readFileSync(BAD, 'utf8'), web.example('deployments/capital-cities.yaml'));
    const { versions } = await web.client.call(routes.packs.get, { params: { pack: SLUG } });
    version_id = versions[0]?.id ?? '';
    run = await web.race(['--pack', SLUG, '--deployment', 'chatty']);
  }, 180_000);
  afterAll(async () => await web?.close());

  test('a member audits a version and reads the finding with its field and fix, beside the ranking, too', async () => {
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open(`/runs/${run}/ranking`);
    await page.getByText('not audited', { exact: true }).waitFor();

    await visitor.open(`/versions/${version_id}`);
    await page.getByText(/^Nothing shows yet that work is needed to pass this version/).waitFor();
    await page.getByRole('button', { name: 'Quick audit' }).click();
    await page.getByText('Audit started').waitFor();
    await page.getByText(FAILED).first().waitFor(ENDED);
    await page.getByRole('rowheader', { name: 'oracle' }).waitFor();
    const findings = page.getByRole('list', { name: 'Findings of the audit' });
    await findings.getByText('visible_expectation', { exact: true }).waitFor();
    await findings.getByText(/validators\[0\]\.expected_from \(line 11\)/).waitFor();
    await findings.getByText(/^Remove it from what agents get/).waitFor();
    await page.getByText(/^A quick audit tries a part of the cases/).waitFor();

    await visitor.open(`/runs/${run}/ranking`);
    await page.getByText(FAILED).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('a member sees how far an audit is, and cancels it', async () => {
    await web.product.read('challenge-pack', 'publish', web.write('slow.yaml', SLOW));
    const { versions } = await web.client.call(routes.packs.get, { params: { pack: 'slow' } });
    const visitor = await web.visit();
    const { page } = visitor;
    await visitor.open(`/versions/${versions[0]?.id}`);
    await page.getByRole('button', { name: 'Audit', exact: true }).click();
    await page.getByText(/^oracle: 0 of 5 trials/).waitFor(ENDED);
    await page.getByRole('button', { name: 'Cancel the audit' }).click();
    await page.getByText(/^The last audit was cancelled/).waitFor(ENDED);
    await page.getByText('not audited', { exact: true }).first().waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });

  test('where the workspace requires audits, a run of the version is refused with the reason and the command', async () => {
    await web.product.read('workspace', 'audit-policy', '--require', 'yes');
    try {
      const visitor = await web.visit();
      const { page } = visitor;
      await visitor.open('/runs/new');
      await page.getByLabel('Pack and version').selectOption({ label: `${SLUG} v1` });
      await page.getByLabel('chatty').check();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByText(/agentclash challenge-pack audit visible-expectation@1/).waitFor();
      expect(visitor.pageErrors).toEqual([]);
      await visitor.leave();
    } finally {
      await web.product.read('workspace', 'audit-policy', '--require', 'no');
    }
  });
});
