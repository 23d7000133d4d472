import { baselines, comparisons, gatePolicies, gates, scorecards } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CAPITALS_SPEC } from '../testing/capitals-spec.js';
import { ScoringFixture, type TestRun } from '../testing/scoring-fixture.js';

const [database, nats] = await Promise.all([freshDatabase(), freshNats()]);

const POLICY = {
  name: 'release',
  comparisons: { correctness: { max_regression: { warn: 0.1, fail: 0.6 }, mode: 'point' as const } },
};
const actor = 'test';

describe('comparisons, baselines and gates', () => {
  let fixture: ScoringFixture;
  let version: string;
  let good: TestRun;
  let half: TestRun;

  beforeAll(async () => {
    fixture = await ScoringFixture.start({ database, nats });
    version = fixture.publish(CAPITALS_SPEC);
    good = await ranked(['Lima', 'Lima']);
    half = await ranked(['Lima', 'Cusco']);
  });
  afterAll(() => fixture.stop());

  async function ranked([peru, chile]: [string, string], agent = 'solver'): Promise<TestRun> {
    const run = fixture.run(version);
    run.add(peru, { agent });
    run.add(chile, { agent, case_key: 'chile' });
    await fixture.complete(run);
    return run;
  }

  const ws = () => ({ workspace_id: fixture.workspace_id });
  const compare = (baseline: string, candidate: string, more: object = {}) =>
    fixture.bus.call(comparisons.compare, { ...ws(), baseline, candidate, ...more });
  const evaluate = (request: object) =>
    fixture.bus.call(gates.evaluate, { ...ws(), actor, request: request as never });

  test('two runs are compared case by case over what is stored', async () => {
    const { comparisons: lanes } = await compare(good.run_id, half.run_id);
    expect(lanes).toMatchObject([
      {
        comparable: true,
        cases: 2,
        dimensions: {
          correctness: {
            mean_difference: -0.5,
            verdict: 'inconclusive',
            pairs: [
              { case_key: 'chile', baseline: 1, candidate: 0 },
              { case_key: 'peru', baseline: 1, candidate: 1 },
            ],
          },
        },
      },
    ]);
  });

  test('a comparison names the attempts that a side lacks, with their cases and why', async () => {
    const lacking = fixture.run(version);
    lacking.add('Lima');
    lacking.add(undefined, { case_key: 'chile', outcome: 'provider_error' });
    const ranking = await fixture.complete(lacking);
    expect(ranking.items[0]).not.toHaveProperty('missing_attempts');
    const { comparisons: lanes } = await compare(good.run_id, lacking.run_id);
    const reason = 'provider_error';
    expect(lanes.map(({ missing }) => missing)).toEqual([
      {
        candidate: {
          ...{ planned: 2, attempts: 1, reasons: [{ reason, attempts: 1 }] },
          cases: [{ case_key: 'chile', reason, attempts: 1 }],
        },
      },
    ]);
    const whole = await compare(good.run_id, half.run_id);
    expect(whole.comparisons[0]).not.toHaveProperty('missing');
  });

  test('the only namesake of several agents is compared, and without one the lane must be named', async () => {
    const two = fixture.run(version);
    two.add('Lima', { agent: 'solver' });
    two.add('Cusco', { agent: 'other' });
    await fixture.complete(two);
    expect(await compare(good.run_id, two.run_id)).toMatchObject({
      comparisons: [{ comparable: true, candidate_run_agent_id: two.idOf('solver') }],
    });
    const strangers = fixture.run(version);
    strangers.add('Lima', { agent: 'first' });
    strangers.add('Cusco', { agent: 'second' });
    await fixture.complete(strangers);
    expect(await compare(good.run_id, strangers.run_id)).toMatchObject({
      comparisons: [{ comparable: false, reasons: ['agent_unresolved'] }],
    });
    await expect(compare(good.run_id, two.run_id, { candidate_agent: 'unknown' })).rejects.toMatchObject({
      code: 'not_found',
      details: { agents: ['solver', 'other'] },
    });
  });

  test('another workspace sees no run, baseline, policy or comparison', async () => {
    const workspace_id = newId();
    await expect(fixture.bus.call(baselines.get, { workspace_id, name: 'default' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await fixture.bus.call(gatePolicies.list, { workspace_id })).toEqual({
      items: [],
      next_cursor: null,
    });
    const { comparison_id } = await evaluate({ baseline_run_id: good.run_id, candidate_run_id: half.run_id });
    await expect(fixture.bus.call(comparisons.get, { workspace_id, comparison_id })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await fixture.bus.call(comparisons.get, { ...ws(), comparison_id })).toMatchObject({
      id: comparison_id,
    });
  });

  test('a gate decides against a baseline by a stored policy, and keeps what it decided on', async () => {
    await fixture.bus.call(baselines.set, { ...ws(), name: 'default', spec: { run_id: good.run_id }, actor });
    const created = await fixture.bus.call(gatePolicies.create, { ...ws(), spec: POLICY, actor });
    const warned = await evaluate({ candidate_run_id: half.run_id, policy: 'release' });
    expect(warned).toMatchObject({
      verdict: 'warn',
      reasons: ['regression_warn:correctness'],
      exit_code: 2,
      policy_fingerprint: created.fingerprint,
      baseline_run_id: good.run_id,
    });
    const strict = { ...POLICY, comparisons: { correctness: { max_regression: { warn: 0.1, fail: 0.2 } } } };
    const { applied, gate_policy } = await fixture.bus.call(gatePolicies.update, {
      ...ws(),
      gate_policy_id: created.id,
      spec: strict,
      actor,
    });
    expect([applied, gate_policy.version]).toEqual(['revised', 2]);
    const failed = await evaluate({ candidate_run_id: half.run_id, policy: created.id });
    expect(failed).toMatchObject({ verdict: 'fail', exit_code: 1 });
    expect(failed.policy_fingerprint).not.toBe(warned.policy_fingerprint);
    expect(await evaluate({ candidate_run_id: good.run_id, policy: 'release' })).toMatchObject({
      verdict: 'pass',
      reasons: ['within_thresholds'],
    });
  });

  test('a preview of a gate stores nothing', async () => {
    const candidate_run_id = (await ranked(['Lima', 'Cusco'])).run_id;
    const request = { baseline_run_id: good.run_id, candidate_run_id };
    const stored = () => fixture.bus.call(gates.list, { ...ws(), candidate_run_id });
    const compared = () => database.query('SELECT count(*) FROM scoring.comparisons');
    const before = await compared();
    const preview = await fixture.bus.call(gates.preview, { ...ws(), request });
    expect([await stored(), await compared()]).toEqual([{ items: [], next_cursor: null }, before]);
    const { comparison_id, decided_at: _at, decided_by: _by, ...decided } = await evaluate(request);
    const comparison = await fixture.bus.call(comparisons.get, { ...ws(), comparison_id });
    expect(comparison).toMatchObject(preview.comparison);
    expect({ ...decided, comparison: preview.comparison }).toEqual(preview);
  });

  test('without a stored policy the built-in one applies, which two cases cannot satisfy', async () => {
    const built = await fixture.bus.call(gatePolicies.getDefault, ws());
    expect(built).toMatchObject({ name: 'default', built_in: true, missing_dimension: 'note' });
    const { policy_fingerprint, verdict, reasons, notes, detectable, exit_code } = await evaluate({
      baseline_run_id: good.run_id,
      candidate_run_id: good.run_id,
    });
    expect(policy_fingerprint).toBe(built.fingerprint);
    expect({ verdict, reasons, exit_code, detectable }).toEqual({
      verdict: 'insufficient_evidence',
      reasons: ['too_few_cases_to_test:correctness'],
      exit_code: 3,
      detectable: { correctness: null },
    });
    expect(notes).toEqual(
      ['reliability', 'latency', 'cost'].map((dimension) => `dimension_unavailable:${dimension}`),
    );
  });

  test('a stored policy named default replaces the built-in one', async () => {
    const workspace_id = newId();
    const spec = { ...POLICY, name: 'default' };
    await fixture.bus.call(gatePolicies.create, { workspace_id, spec, actor });
    expect(await fixture.bus.call(gatePolicies.getDefault, { workspace_id })).toMatchObject({
      built_in: false,
      comparisons: POLICY.comparisons,
    });
  });

  test('the gate decisions of one run are listed newest first, page by page', async () => {
    const candidate_run_id = (await ranked(['Lima', 'Cusco'])).run_id;
    const request = { baseline_run_id: good.run_id, candidate_run_id };
    const first = await evaluate(request);
    const second = await evaluate(request);
    const page = await fixture.bus.call(gates.list, { ...ws(), candidate_run_id, limit: 1 });
    expect(page.items).toEqual([second]);
    const next = await fixture.bus.call(gates.list, {
      ...ws(),
      candidate_run_id,
      cursor: page.next_cursor ?? '',
    });
    expect(next).toEqual({ items: [{ ...first, decided_by: actor }], next_cursor: null });
    const all = await fixture.bus.call(gates.list, ws());
    expect(all.items.slice(0, 2)).toEqual(page.items.concat(next.items));
    expect(await fixture.bus.call(gates.list, { workspace_id: newId() })).toMatchObject({ items: [] });
    await expect(fixture.bus.call(gates.list, { ...ws(), cursor: 'garbage' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('an equal policy creates no version, and a taken name is rejected', async () => {
    const spec = { name: 'once' };
    const { id } = await fixture.bus.call(gatePolicies.create, { ...ws(), spec, actor });
    expect(
      await fixture.bus.call(gatePolicies.update, { ...ws(), gate_policy_id: id, spec, actor }),
    ).toMatchObject({
      applied: 'unchanged',
      gate_policy: { version: 1 },
    });
    await expect(fixture.bus.call(gatePolicies.create, { ...ws(), spec, actor })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('a policy and a baseline are read as written, and not found once removed', async () => {
    const gone = { code: 'not_found' };
    const policy = await fixture.bus.call(gatePolicies.create, { ...ws(), spec: { name: 'short' }, actor });
    const ofPolicy = { ...ws(), gate_policy_id: policy.id };
    expect(await fixture.bus.call(gatePolicies.get, ofPolicy)).toEqual(policy);
    await fixture.bus.call(gatePolicies.remove, ofPolicy);
    await expect(fixture.bus.call(gatePolicies.get, ofPolicy)).rejects.toMatchObject(gone);

    const ofBaseline = { ...ws(), name: 'short' };
    const spec = { run_id: good.run_id };
    await fixture.bus.call(baselines.set, { ...ofBaseline, spec, actor });
    const baseline = await fixture.bus.call(baselines.get, ofBaseline);
    expect(baseline).toMatchObject({ name: 'short', run_id: good.run_id });
    expect((await fixture.bus.call(baselines.list, ws())).items).toContainEqual(baseline);
    await fixture.bus.call(baselines.remove, ofBaseline);
    await expect(fixture.bus.call(baselines.get, ofBaseline)).rejects.toMatchObject(gone);
  });

  test('a run whose attempts were retried for their result cannot carry a decision', async () => {
    const retried = await ranked(['Lima', 'Lima']);
    retried.selectiveRetry = true;
    expect(await evaluate({ baseline_run_id: good.run_id, candidate_run_id: retried.run_id })).toMatchObject({
      verdict: 'insufficient_evidence',
      reasons: ['candidate_selective_retry'],
      exit_code: 3,
    });
  });

  test('a replayed run carries a decision only by a policy that allows recorded model calls', async () => {
    const replayed = await ranked(['Lima', 'Lima']);
    replayed.modelCalls = 'replay';
    const sides = { baseline_run_id: good.run_id, candidate_run_id: replayed.run_id };
    expect(await evaluate(sides)).toMatchObject({
      verdict: 'insufficient_evidence',
      reasons: ['candidate_recorded_model_calls'],
      exit_code: 3,
    });
    expect((await compare(good.run_id, replayed.run_id)).candidate.model_calls).toBe('replay');
    const spec = { name: 'replays', allow_recorded_model_calls: true };
    await fixture.bus.call(gatePolicies.create, { ...ws(), spec, actor });
    const { reasons } = await evaluate({ ...sides, policy: 'replays' });
    expect(reasons).not.toContain('candidate_recorded_model_calls');
    replayed.modelCalls = 'record';
    expect((await evaluate(sides)).reasons).not.toContain('candidate_recorded_model_calls');
  });

  test('a gate that requires an audit decides only on a version whose newest audit passed', async () => {
    const other = await ranked(['Lima', 'Lima']);
    const sides = { baseline_run_id: good.run_id, candidate_run_id: other.run_id, policy: 'audited' };
    const pack_audit = { required: true, min_strength: 0.8 };
    const spec = { name: 'audited', pack_audit };
    await fixture.bus.call(gatePolicies.create, { ...ws(), spec, actor });
    expect(await evaluate(sides)).toMatchObject({
      ...{ verdict: 'insufficient_evidence', reasons: ['audit_missing'], exit_code: 3 },
      policy: { pack_audit },
    });
    const certificate = {
      ...{ audit_id: newId(), result: 'passed' as const, quick: false, strength: 0.7, digest: 'x' },
      ...{ cheats_tried: 60, cheats_gained: 0, version: '0.1.0', audited_at: new Date().toISOString() },
    };
    fixture.certificates.set(version, certificate);
    expect((await evaluate(sides)).reasons).toEqual(['audit_strength_below_minimum']);
    fixture.certificates.set(version, { ...certificate, strength: 0.9 });
    expect((await evaluate(sides)).reasons).not.toContain('audit_strength_below_minimum');
    fixture.certificates.set(version, { ...certificate, result: 'failed' });
    expect((await evaluate(sides)).reasons).toEqual(['audit_not_passed']);
  });

  test('a run of some cases is compared on the common ones, and carries no decision about the others', async () => {
    const some = fixture.run(version);
    some.add('Lima');
    await fixture.complete(some);
    some.caseSubset = { case_keys: ['peru'], of: 2, failed_in_run_id: null };
    const compared = await compare(good.run_id, some.run_id);
    expect(compared.candidate.case_share).toEqual({ cases: 1, of: 2, failed_in_run_id: null });
    expect(compared.baseline.case_share).toBeUndefined();
    expect(compared.comparisons).toMatchObject([{ comparable: true, cases: 1 }]);
    const decide = (baseline: TestRun, candidate: TestRun) =>
      evaluate({ baseline_run_id: baseline.run_id, candidate_run_id: candidate.run_id });
    expect(await decide(good, some)).toMatchObject({
      verdict: 'insufficient_evidence',
      reasons: ['candidate_case_subset'],
    });
    expect((await decide(some, good)).reasons).toContain('baseline_case_subset');
    const again = fixture.run(version);
    again.add('Lima');
    await fixture.complete(again);
    again.caseSubset = { case_keys: ['peru'], of: 2, failed_in_run_id: null };
    expect(JSON.stringify((await decide(some, again)).reasons)).not.toContain('case_subset');
  });

  test('runs of different versions are not comparable, and the verdict of the gate states it', async () => {
    const own = version;
    version = fixture.publish(CAPITALS_SPEC);
    const other = await ranked(['Lima', 'Lima']);
    version = own;
    expect(await evaluate({ baseline_run_id: good.run_id, candidate_run_id: other.run_id })).toMatchObject({
      verdict: 'insufficient_evidence',
      reasons: expect.arrayContaining(['not_comparable', 'challenge_pack_version_mismatch']),
    });
  });

  test('a run is scored again as a next revision, the same bytes from the same evidence', async () => {
    const run = await ranked(['Lima', 'Cusco']);
    const [attempt] = run.attempts;
    const before = await fixture.card(attempt?.attempt_id ?? '');
    const begun = await fixture.bus.call(scorecards.rescore, { ...ws(), run_id: run.run_id, actor });
    expect(begun).toMatchObject({ state: 'pending', attempts: 2 });
    const ranking = await waitFor(async () => {
      const found = await fixture.ranking(run);
      return found.rescore?.state === 'ready' ? found : undefined;
    });
    expect(ranking).toMatchObject({ revision: 2, rescore: { id: begun.id, scored: 2 } });
    const { revision, scored_at, ...after } = await fixture.card(attempt?.attempt_id ?? '');
    expect(revision).toBe(2);
    expect({ ...after, revision: 1, scored_at: before.scored_at }).toEqual(before);
    expect(scored_at).not.toBeNull();
  });

  test('a run can be scored by the spec of another version, and is then compared under that one only', async () => {
    const run = await ranked(['Lima', 'Cusco']);
    const lenient = fixture.publish({
      ...CAPITALS_SPEC,
      validators: [{ key: 'any', type: 'regex_match', target: 'final_output', expected_from: 'literal:.' }],
    });
    await fixture.bus.call(scorecards.rescore, {
      ...ws(),
      run_id: run.run_id,
      evaluation_spec_id: lenient,
      actor,
    });
    const ranking = await waitFor(async () => {
      const found = await fixture.ranking(run);
      return found.rescore?.state === 'ready' ? found : undefined;
    });
    expect(ranking).toMatchObject({ evaluation_spec_id: lenient, items: [{ overall: 1, passed: true }] });
    expect(await compare(good.run_id, run.run_id)).toMatchObject({
      comparisons: [{ comparable: false, reasons: ['evaluation_spec_mismatch'] }],
    });
    await expect(
      fixture.bus.call(scorecards.rescore, {
        ...ws(),
        run_id: run.run_id,
        evaluation_spec_id: newId(),
        actor,
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a run that has not ended is neither scored again nor made a baseline', async () => {
    const run = fixture.run(version);
    run.add('Lima', { isFinished: false });
    const { run_id } = run;
    const conflict = { code: 'conflict' };
    await expect(fixture.bus.call(scorecards.rescore, { ...ws(), run_id, actor })).rejects.toMatchObject(
      conflict,
    );
    await expect(
      fixture.bus.call(baselines.set, { ...ws(), name: 'default', spec: { run_id }, actor }),
    ).rejects.toMatchObject(conflict);
  });
});
