import { type Run, routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { WebFixture } from './testing/web-fixture.js';

jest.setTimeout(240_000);

/** Its expected number is in a file, which nothing reads before an attempt is graded. */
const packOf = (slug: string, cases: number) => `
pack: {slug: ${slug}, name: Broken, family: test}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file]}
  assets: [{key: solution, path: solution.txt, media_type: text/plain}]
  evaluation_spec:
    name: broken
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: number, type: contains, target: final_output, expected_from: "literal:12"}
      - {key: count, type: numeric_match, target: final_output, expected_from: case.expectations.count}
    scorecard:
      pass_threshold: 1
      dimensions: [{key: correctness, validators: [number]}, {key: counting, source: validators, validators: [count]}]
challenges:
  - {key: c, title: Count, category: test, difficulty: easy, instructions: Count to twelve.}
input_sets:
  - key: default
    name: Default
    cases:
${Array.from(
  { length: cases },
  (_, index) =>
    `      - {challenge_key: c, case_key: k${index}, payload: {}, expectations: [{key: count, kind: file, artifact_key: solution}]}`,
).join('\n')}
`;
const DEPLOYMENTS = JSON.stringify({
  deployments: [{ name: 'oracle', kind: 'scripted', config: { steps: [{ answer: '12' }] } }],
});
const SENTENCE =
  'validator count (numeric_match) cannot read case.expectations.count = "twelve": expected a number';

describe('a run of a pack that cannot be graded', () => {
  let web: WebFixture;

  beforeAll(async () => {
    web = await WebFixture.start();
    web.write('solution.txt', 'twelve');
    await web.prepare(packOf('broken-small', 3), DEPLOYMENTS);
    await web.prepare(packOf('broken-large', 150), DEPLOYMENTS);
  });
  afterAll(async () => await web?.close());

  const start = (slug: string, more: string[] = []) =>
    web.product.run(['eval', 'start', '--pack', slug, '--deployment', 'oracle', ...more, '--follow'], {
      timeoutMs: 180_000,
    });
  const runOf = async (slug: string): Promise<Run> => {
    const { items } = await web.client.call(routes.runs.list, { query: { pack: slug } });
    return await web.client.call(routes.runs.get, { params: { run_id: items[0]?.id ?? '' } });
  };

  test('the command for a broken pack ends with 1, and its last line has validator, expectation, value and expected form', async () => {
    const { code, stdout, stderr } = await start('broken-small');
    expect({ code, stdout, stderr }).toMatchObject({ code: 1 });
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(
      `3 of 3 attempts could not be graded: ${SENTENCE} (case `,
    );
    expect(`${stdout}${stderr}`).toContain('not graded');
    expect(`${stdout}${stderr}`).not.toContain('1.000');
    expect(await runOf('broken-small')).toMatchObject({
      status: 'failed',
      failure: { code: 'pack_errors', message: `No attempt could be graded: ${SENTENCE}.` },
      pack_errors: [{ validator: 'count', type: 'numeric_match', value: 'twelve', attempts: 3 }],
    });
  });

  test('a run of a broken pack stops after some attempts, and ends failed with a code for it', async () => {
    const { code, stderr } = await start('broken-large', ['--max-concurrency', '1']);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(
      `of 150 attempts could not be graded, and the run was stopped: ${SENTENCE}`,
    );
    const { status, failure, progress } = await runOf('broken-large');
    expect({ status, code: failure?.code }).toEqual({ status: 'failed', code: 'pack_errors' });
    expect(progress.by_outcome.completed).toBeLessThan(75);
  });

  test('every screen of the run and of its attempts reports the broken pack, and shows no score', async () => {
    const { id } = await runOf('broken-small');
    const visitor = await web.visit();
    const { page } = visitor;
    const { items: agents } = await web.client.call(routes.runs.agents, { params: { run_id: id } });
    const screens = [
      '',
      '/arena',
      '/ranking',
      '/matrix',
      '/failures',
      '/gate',
      `/agents/${agents[0]?.id}`,
      '/cases/k0',
    ];
    for (const screen of screens) {
      await visitor.open(`/runs/${id}${screen}`);
      await page.getByRole('alert').filter({ hasText: SENTENCE }).waitFor();
      expect(await page.getByText('1.000').count()).toBe(0);
    }
    const { items } = await web.client.call(routes.runs.attempts, { params: { run_id: id } });
    for (const screen of ['', '?tab=events', '?tab=scores']) {
      await visitor.open(`/attempts/${items[0]?.id}${screen}`);
      await page.getByRole('alert').filter({ hasText: SENTENCE }).waitFor();
      await page.getByText('not graded').waitFor();
    }
    expect(visitor.pageErrors).toEqual([]);
    await visitor.leave();
  });
});
