import { scorecards } from '@agentclash/contracts';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ScoringFixture, type TestRun } from '../testing/scoring-fixture.js';

let fixture: ScoringFixture;
// Jest runs these hooks in the order of their calls: clients close before their servers.
afterAll(() => fixture.stop());
const [database, nats] = await Promise.all([freshDatabase(), freshNats()]);

const SPEC = {
  name: 'capitals',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [{ key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:Lima' }],
  scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
};
const CASES = 12;

beforeAll(async () => {
  fixture = await ScoringFixture.start({ database, nats });
});

/** Lanes of variants by name, each with its output for every case. */
function runOf(outputs: Record<string, string>): TestRun {
  const run = fixture.run(fixture.publish(SPEC));
  for (const [name, output] of Object.entries(outputs)) {
    const agent = `coder (${name})`;
    run.variants.set(agent, { deployment: 'coder', name, baseline: 'bare' });
    for (let n = 0; n < CASES; n += 1) run.add(output, { agent, case_key: `case ${n}` });
  }
  return run;
}

test('A scored run has the verdict of each variant, and a run that is scored again has it too', async () => {
  const run = runOf({ bare: 'Cusco', docs: 'Lima', same: 'Cusco' });
  const ranking = await fixture.complete(run);
  expect(ranking.items.map(({ name, variant }) => [name, variant])).toContainEqual([
    'coder (docs)',
    { deployment: 'coder', name: 'docs', baseline: 'bare' },
  ]);
  const verdicts = [
    {
      ...{ variant: 'docs', baseline: 'bare', verdict: 'helps', measure: 'pass', cases: CASES, tests: 2 },
      ...{ baseline_mean: 0, variant_mean: 1, difference: 1, more_cases: null },
      run_agent_id: run.idOf('coder (docs)'),
      baseline_run_agent_id: run.idOf('coder (bare)'),
    },
    { variant: 'same', verdict: 'no_difference_shown', difference: 0 },
  ];
  expect(ranking.variants).toMatchObject(verdicts);
  const { workspace_id } = fixture;
  await fixture.bus.call(scorecards.rescore, { workspace_id, run_id: run.run_id, actor: 'test' });
  const again = await waitFor(async () => {
    const found = await fixture.ranking(run);
    return found.revision === 2 ? found : undefined;
  });
  expect(again.variants).toMatchObject(verdicts);
});

test('A run without variants has no verdicts of variants', async () => {
  const run = fixture.run(fixture.publish(SPEC));
  run.add('Lima', { agent: 'solver' });
  expect(await fixture.complete(run)).not.toHaveProperty('variants');
});
