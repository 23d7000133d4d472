import { gatePolicies, gates } from '@agentclash/contracts';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CAPITALS_SPEC } from '../testing/capitals-spec.js';
import { ScoringFixture, type TestRun } from '../testing/scoring-fixture.js';

const [database, nats] = await Promise.all([freshDatabase(), freshNats()]);

const POLICY = {
  name: 'release',
  comparisons: { correctness: { max_regression: { warn: 0.1, fail: 0.6 }, mode: 'point' as const } },
};
const actor = 'test';

describe('gates of runs with several agents', () => {
  let fixture: ScoringFixture;
  let version: string;
  let accepted: TestRun;

  beforeAll(async () => {
    fixture = await ScoringFixture.start({ database, nats });
    version = fixture.publish(CAPITALS_SPEC);
    accepted = await ranked({ concise: ['Lima', 'Lima'], chatty: ['Lima', 'Lima'] });
    await fixture.bus.call(gatePolicies.create, { ...ws(), spec: POLICY, actor });
  });
  afterAll(() => fixture.stop());

  const ws = () => ({ workspace_id: fixture.workspace_id });
  async function ranked(outputs: Record<string, [string, string]>): Promise<TestRun> {
    const run = fixture.run(version);
    for (const [agent, [peru, chile]] of Object.entries(outputs)) {
      run.add(peru, { agent });
      run.add(chile, { agent, case_key: 'chile' });
    }
    await fixture.complete(run);
    return run;
  }
  const evaluate = (candidate: TestRun, more: object = {}) =>
    fixture.bus.call(gates.evaluate, {
      ...{ ...ws(), actor },
      request: {
        ...{ baseline_run_id: accepted.run_id, candidate_run_id: candidate.run_id, policy: 'release' },
        ...more,
      },
    });

  test('each agent is compared with the agent of its name, and the worst of the verdicts decides', async () => {
    const candidate = await ranked({ chatty: ['Cusco', 'Cusco'], concise: ['Lima', 'Cusco'] });
    const decision = await evaluate(candidate);
    expect(decision).toMatchObject({
      ...{ verdict: 'fail', exit_code: 1 },
      reasons: ['regression_fail:chatty / correctness', 'regression_warn:concise / correctness'],
      agents: [
        { agent: 'chatty', verdict: 'fail', reasons: ['regression_fail:correctness'] },
        { agent: 'concise', verdict: 'warn', reasons: ['regression_warn:correctness'] },
      ],
    });
    const { items } = await fixture.bus.call(gates.list, {
      ...{ ...ws(), candidate_run_id: candidate.run_id, limit: 20 },
    });
    expect(items).toEqual([decision]);
    const named = await evaluate(candidate, { candidate_agent: 'concise' });
    expect(named).toMatchObject({ verdict: 'warn', reasons: ['regression_warn:correctness'] });
    expect(named).not.toHaveProperty('agents');
  });

  test('a gate passes when every agent passes', async () => {
    const same = await ranked({ concise: ['Lima', 'Lima'], chatty: ['Lima', 'Lima'] });
    expect(await evaluate(same)).toMatchObject({
      ...{ verdict: 'pass', exit_code: 0, reasons: ['within_thresholds'] },
      agents: [
        { agent: 'concise', verdict: 'pass' },
        { agent: 'chatty', verdict: 'pass' },
      ],
    });
  });

  test('common agents of line-ups that differ are compared, and those of one run alone are insufficient evidence', async () => {
    const partly = await ranked({ terse: ['Lima', 'Lima'], concise: ['Lima', 'Lima'] });
    const decision = await evaluate(partly);
    expect(decision).toMatchObject({
      ...{ verdict: 'insufficient_evidence', exit_code: 3 },
      reasons: [
        'not_comparable:terse',
        'not_in_baseline:terse',
        'not_comparable:chatty',
        'not_in_candidate:chatty',
      ],
      agents: [
        { agent: 'terse', verdict: 'insufficient_evidence', reasons: ['not_comparable', 'not_in_baseline'] },
        { agent: 'concise', verdict: 'pass' },
        {
          agent: 'chatty',
          verdict: 'insufficient_evidence',
          reasons: ['not_comparable', 'not_in_candidate'],
        },
      ],
    });
    const worse = await ranked({ terse: ['Lima', 'Lima'], concise: ['Cusco', 'Cusco'] });
    expect(await evaluate(worse)).toMatchObject({ verdict: 'fail', exit_code: 1 });
    const named = await evaluate(partly, { candidate_agent: 'concise' });
    expect(named).toMatchObject({ verdict: 'pass', reasons: ['within_thresholds'] });
  });

  test('agents of other names are insufficient evidence, and the reason names those of both runs', async () => {
    const other = await ranked({ brief: ['Lima', 'Lima'], terse: ['Lima', 'Lima'] });
    expect(await evaluate(other)).toMatchObject({
      ...{ verdict: 'insufficient_evidence', exit_code: 3 },
      reasons: [
        'not_comparable',
        'agent_unresolved:the baseline has concise, chatty, the candidate brief, terse',
      ],
    });
  });
});
