import { drawCaseOrder } from '@agentclash/challengepack';
import { comparisons, gatePolicies, gates, type Race, scorecards } from '@agentclash/contracts';
import { GATE_MODES } from '@agentclash/domain';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CAPITALS_SPEC } from '../testing/capitals-spec.js';
import { ScoringFixture, type TestRun } from '../testing/scoring-fixture.js';

const [database, nats] = await Promise.all([freshDatabase(), freshNats()]);

const CASES = 12;
const KEYS = Array.from({ length: CASES }, (_, at) => `case ${at}`);
const RACED = { goal: 'baseline', metric: 'pass', alpha: 0.05 } as const;
const PAIR = { difference: -1, lower: -1, upper: -0.2, cases: 9, population: CASES, missing: 0 };

describe('runs that stopped early, and runs of drafts', () => {
  let fixture: ScoringFixture;
  let version: string;
  let whole: TestRun;

  beforeAll(async () => {
    fixture = await ScoringFixture.start({ database, nats });
    version = fixture.publish(CAPITALS_SPEC);
    whole = await ranked({ solver: Array.from({ length: CASES }, () => 'Lima') });
    for (const mode of GATE_MODES) {
      const correctness = { max_regression: { warn: 0.02, fail: 0.05 }, mode };
      const spec = { name: mode, comparisons: { correctness } };
      await fixture.bus.call(gatePolicies.create, { ...ws(), spec, actor: 'test' });
    }
  });
  afterAll(() => fixture.stop());

  const ws = () => ({ workspace_id: fixture.workspace_id });
  /** Outputs by lane; a lane with fewer than all cases left the race. */
  async function ranked(outputs: Record<string, string[]>, seed?: number): Promise<TestRun> {
    const run = fixture.run(version);
    run.caseSubset = { case_keys: KEYS, of: CASES, failed_in_run_id: null };
    run.seed = seed;
    const order = seed === undefined ? KEYS : drawCaseOrder(seed, KEYS);
    for (const [agent, given] of Object.entries(outputs)) {
      for (const [at, output] of given.entries()) run.add(output, { agent, case_key: order[at] ?? '' });
      if (given.length < CASES) run.skipped.set(agent, CASES - given.length);
    }
    await fixture.complete(run);
    return run;
  }
  const raceOf = (run: TestRun, verdict: Race['pairs'][number]['verdict'] = 'worse'): Race => ({
    ...{ ...RACED, margin: 0, cases: CASES, lanes: [], best: [], is_decided: true },
    pairs: [{ a: run.idOf('solver'), b: whole.idOf('solver'), verdict, ...PAIR }],
  });
  async function raced(verdict?: Race['pairs'][number]['verdict']): Promise<TestRun> {
    const run = await ranked({ solver: Array.from({ length: 9 }, () => 'Cusco') }, 7);
    run.stopped = 'decided';
    run.race = raceOf(run, verdict);
    return run;
  }
  const compare = async (baseline: TestRun, candidate: TestRun) =>
    (
      await fixture.bus.call(comparisons.compare, {
        ...{ ...ws(), baseline: baseline.run_id, candidate: candidate.run_id },
        ...{ baseline_agent: 'solver', candidate_agent: 'solver' },
      })
    ).comparisons[0];
  const decide = (baseline: TestRun, candidate: TestRun, policy = 'significant') =>
    fixture.bus.call(gates.evaluate, {
      ...{ ...ws(), actor: 'test' },
      request: {
        ...{ baseline_run_id: baseline.run_id, candidate_run_id: candidate.run_id, policy },
        ...{ baseline_agent: 'solver', candidate_agent: 'solver' },
      },
    });

  test('the verdict of the race is what a comparison shows, from the side of its candidate, and nothing is tested', async () => {
    const run = await raced();
    const race = {
      ...{
        ...RACED,
        run_id: run.run_id,
        stopped: 'decided',
        pairs: 1,
        cases: 9,
        population: CASES,
        missing: 0,
      },
      ...{ verdict: 'worse', difference: -1, interval: [-1, -0.2] },
    };
    const untested = { comparable: false, reasons: ['stopped_early'], tests: 0, pass: { p: null, n: 0 } };
    expect(await compare(whole, run)).toMatchObject({ ...untested, race });
    const mirrored = { ...race, verdict: 'better', difference: 1, interval: [0.2, 1] };
    expect(await compare(run, whole)).toMatchObject({ ...untested, race: mirrored });
  });

  test('a gate reads the verdict of the race, names it, and keeps it with its decision', async () => {
    const run = await raced();
    const decision = await decide(whole, run);
    expect(decision).toMatchObject({
      ...{ verdict: 'fail', reasons: ['regression_fail:pass'], exit_code: 1 },
      race: { verdict: 'worse', interval: [-1, -0.2], cases: 9, population: CASES, alpha: 0.05 },
    });
    const { items } = await fixture.bus.call(gates.list, { ...ws(), candidate_run_id: run.run_id });
    expect(items).toEqual([decision]);
  });

  test.each([
    ['better', 'pass', 'within_thresholds'],
    ['equivalent', 'pass', 'within_thresholds'],
    ['insufficient', 'insufficient_evidence', 'race_insufficient:pass'],
    ['undecided', 'insufficient_evidence', 'race_undecided:pass'],
    [null, 'insufficient_evidence', 'race_undecided:pass'],
  ] as const)('a gate over the verdict %s of a race ends with %s', async (verdict, gate, reason) => {
    expect(await decide(whole, await raced(verdict))).toMatchObject({ verdict: gate, reasons: [reason] });
  });

  test.each(['point', 'non_inferior'])(
    'the mode %s has insufficient evidence, whatever the race decided',
    async (mode) => {
      expect(await decide(whole, await raced(), mode)).toMatchObject({
        ...{ verdict: 'insufficient_evidence', reasons: ['stopped_early:correctness'], exit_code: 3 },
      });
    },
  );

  test('nothing is compared where a side stopped early and no race has the pair, in either direction', async () => {
    const alone = await raced();
    alone.race = undefined;
    const left = await ranked({ other: KEYS.map(() => 'Lima'), solver: ['Cusco', 'Cusco', 'Cusco'] }, 7);
    for (const [baseline, candidate] of [
      [whole, alone],
      [alone, whole],
      [whole, left],
      [left, alone],
    ] as const) {
      const compared = await compare(baseline, candidate);
      expect(compared).toMatchObject({ comparable: false, reasons: ['stopped_early'] });
      expect(compared).not.toHaveProperty('race');
      for (const mode of GATE_MODES) {
        expect(await decide(baseline, candidate, mode)).toMatchObject({
          ...{ verdict: 'insufficient_evidence', reasons: ['stopped_early'] },
        });
      }
    }
  });

  test('a race that ran to its last case is compared and decided on as an ordinary run, beside its verdict', async () => {
    const run = await ranked({ solver: KEYS.map(() => 'Cusco') }, 7);
    run.race = raceOf(run, 'exact');
    expect(await compare(whole, run)).toMatchObject({
      ...{ comparable: true, cases: CASES, pass: { verdict: 'worse' } },
      race: { verdict: 'exact', population: CASES },
    });
    const decision = await decide(whole, run);
    expect(decision).toMatchObject({ verdict: 'fail', reasons: ['regression_fail:correctness'] });
    expect(decision).not.toHaveProperty('race');
  });

  test('a lane that left the race has the interval of its sequence, the others the ordinary one', async () => {
    const run = fixture.run(version);
    run.caseSubset = { case_keys: KEYS, of: CASES, failed_in_run_id: null };
    run.seed = 3;
    for (const case_key of KEYS) run.add('Lima', { agent: 'whole', case_key });
    const order = drawCaseOrder(3, KEYS).slice(0, 2);
    for (const case_key of order) run.add('Cusco', { agent: 'left', case_key });
    run.skipped.set('left', CASES - order.length);
    run.variants.set('left', { deployment: 'd', name: 'left', baseline: 'whole' });
    run.variants.set('whole', { deployment: 'd', name: 'whole', baseline: 'whole' });
    const { items, variants } = await fixture.complete(run);
    const left = items.find(({ name }) => name === 'left');
    expect(left).toMatchObject({ pass_rate: { method: 'confidence_sequence' } });
    expect(left).toMatchObject({ overall_estimate: { method: 'confidence_sequence', population: CASES } });
    const kept = items.find(({ name }) => name === 'whole');
    expect(kept).toMatchObject({ planned_attempts: CASES, pass_rate: { n: CASES } });
    expect(kept?.pass_rate).not.toHaveProperty('method');
    expect(variants).toBeUndefined();
    await fixture.bus.call(scorecards.rescore, { ...ws(), run_id: run.run_id, actor: 'test' });
    const again = await waitFor(async () => {
      const found = await fixture.ranking(run);
      return found.revision === 2 ? found.items : undefined;
    });
    expect(again.find(({ name }) => name === 'left')).toMatchObject({ pass_rate: left?.pass_rate });
  });

  test('the ranking of a decided race is the same, however many attempts ended after the verdict', async () => {
    const order = drawCaseOrder(7, KEYS);
    const rankedAfter = async (ended: number) => {
      const run = fixture.run(version);
      run.caseSubset = { case_keys: KEYS, of: CASES, failed_in_run_id: null };
      run.seed = 7;
      for (const [at, case_key] of order.slice(0, ended).entries())
        run.add(at % 2 === 0 ? 'Lima' : 'Cusco', { case_key });
      run.skipped.set('solver', CASES - ended);
      run.stopped = 'decided';
      const run_agent_id = run.idOf('solver');
      const lane = { run_agent_id, mean: 0.5, lower: 0, upper: 1, cases: 4, population: CASES };
      run.race = { ...raceOf(run), lanes: [{ ...lane, eliminated: null }] };
      const [entry] = (await fixture.complete(run)).items;
      return { pass_rate: entry?.pass_rate, overall: entry?.overall_estimate };
    };
    const early = await rankedAfter(5);
    expect(early.pass_rate).toMatchObject({ n: 4, mean: 0.5, method: 'confidence_sequence' });
    expect(await rankedAfter(9)).toEqual(early);
    expect(await rankedAfter(CASES)).toEqual(early);
  });

  test('a weighted attempt whose gate could not be judged is no trial, in its pass rate and for its race', async () => {
    const cost = { key: 'cost', gate: true, pass_threshold: 0.5, normalization: { target: 0.1, max: 1 } };
    const spec = { ...CAPITALS_SPEC, scorecard: { dimensions: ['correctness', cost], pass_threshold: 0.5 } };
    const run = fixture.run(fixture.publish(spec));
    const attempt = run.add('Lima');
    const unjudged = { overall: 1, passed: false, lacks_evidence: true };
    expect(await fixture.score(run, attempt)).toMatchObject(unjudged);
    const { items } = await fixture.complete(run);
    expect(items).toMatchObject([{ overall: 1, pass_rate: { n: 0, mean: null } }]);
    const failed = fixture.run(version);
    const score = await fixture.score(failed, failed.add('Cusco'));
    expect(score).toMatchObject({ passed: false });
    expect(score).not.toHaveProperty('lacks_evidence');
  });

  test('the run of a draft is compared with no other, and no gate decides about it', async () => {
    const draft = await ranked({ solver: KEYS.map(() => 'Lima') });
    draft.isDraft = true;
    const unfit = { code: 'conflict', details: { errors: [{ code: 'run_of_draft', field: 'run_id' }] } };
    const compare = (baseline: string, candidate: string) =>
      fixture.bus.call(comparisons.compare, { ...ws(), baseline, candidate });
    await expect(compare(whole.run_id, draft.run_id)).rejects.toMatchObject(unfit);
    await expect(compare(draft.run_id, whole.run_id)).rejects.toMatchObject(unfit);
    const request = { baseline_run_id: whole.run_id, candidate_run_id: draft.run_id };
    const decision = fixture.bus.call(gates.evaluate, { ...ws(), actor: 'test', request });
    await expect(decision).rejects.toMatchObject(unfit);
  });
});
