import { baselines, ContractError, comparisons, gates, scorecards, scoredRuns } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CAPITALS_SPEC } from '../testing/capitals-spec.js';
import { ScoringFixture, type TestRun } from '../testing/scoring-fixture.js';

const [database, nats] = await Promise.all([freshDatabase(), freshNats()]);

const OF_RUNS = [
  'attempt_scorecards',
  'run_agent_scorecards',
  'rankings',
  'failure_clusters',
  'rescores',
  'review_queues',
  'review_items',
  'run_baselines',
];

describe('a run that is deleted', () => {
  let fixture: ScoringFixture;
  let version: string;

  beforeAll(async () => {
    fixture = await ScoringFixture.start({ database, nats });
    version = fixture.publish(CAPITALS_SPEC);
  });
  afterAll(() => fixture.stop());

  async function ranked(): Promise<TestRun> {
    const run = fixture.run(version);
    run.add('Lima');
    run.add('Quito', { case_key: 'chile' });
    await fixture.complete(run);
    return run;
  }

  const ws = () => ({ workspace_id: fixture.workspace_id });
  const release = ({ run_id }: TestRun) => fixture.bus.call(scoredRuns.release, { ...ws(), run_id });
  const purge = ({ run_id, attempts }: TestRun) =>
    fixture.bus.call(scoredRuns.purge, {
      ...ws(),
      ...{ run_id, attempt_ids: attempts.map(({ attempt_id }) => attempt_id) },
    });
  const setBaseline = ({ run_id }: TestRun, name: string) =>
    fixture.bus.call(baselines.set, { ...ws(), name, spec: { run_id }, actor: 'test' });
  const rescore = ({ run_id }: TestRun) =>
    fixture.bus.call(scorecards.rescore, { ...ws(), run_id, actor: 'test' });
  const compare = (baseline: TestRun, candidate: TestRun) =>
    fixture.bus.call(comparisons.compare, {
      ...ws(),
      baseline: baseline.run_id,
      candidate: candidate.run_id,
    });
  const rowsOf = async ({ run_id, attempts }: TestRun) => {
    const counts = await Promise.all(
      OF_RUNS.map((table) =>
        database.query<{ n: number }>(`SELECT count(*)::int AS n FROM scoring.${table} WHERE run_id = $1`, [
          run_id,
        ]),
      ),
    );
    const ids = attempts.map(({ attempt_id }) => attempt_id);
    const samples = await database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM scoring.judge_samples WHERE attempt_id = ANY($1::uuid[])',
      [ids],
    );
    return [...counts.flat(), ...samples].reduce((sum, { n }) => sum + n, 0);
  };

  test('the removal of a run deletes every row stored for it, and a repeated request deletes nothing more', async () => {
    const run = await ranked();
    const [first] = run.attempts;
    const sample = [first?.attempt_id, 'judge', 'question', '{}'];
    await database.query(
      'INSERT INTO scoring.judge_samples (attempt_id, judge_key, question, sample) VALUES ($1, $2, $3, $4)',
      sample,
    );
    const stored = await rowsOf(run);
    expect(stored).toBeGreaterThanOrEqual(5);
    await release(run);
    expect(await purge(run)).toEqual({ rows: stored });
    expect(await rowsOf(run)).toBe(0);
    await release(run);
    expect(await purge(run)).toEqual({ rows: 0 });
  });

  test('a run keeps its rows until it is released', async () => {
    const run = await ranked();
    const stored = await rowsOf(run);
    await expect(purge(run)).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowsOf(run)).toBe(stored);
  });

  test('a run is not released while it is a baseline, and the error names the baselines', async () => {
    const run = await ranked();
    await setBaseline(run, 'nightly');
    await setBaseline(run, 'release');
    await expect(release(run)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('"nightly", "release"'),
      details: {
        baselines: [{ name: 'nightly', pack: 'capitals', input_set: 'default' }, { name: 'release' }],
      },
    });
    for (const name of ['nightly', 'release']) await fixture.bus.call(baselines.remove, { ...ws(), name });
    await release(run);
  });

  test('a run is not released while it is being scored again', async () => {
    const run = await ranked();
    await database.query(
      `INSERT INTO scoring.rescores (id, workspace_id, run_id, evaluation_spec_id, spec_version_id, attempts, created_by)
       VALUES ($1, $2, $3, $4, $5, 2, 'test')`,
      [newId(), fixture.workspace_id, run.run_id, version, version],
    );
    await expect(release(run)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('scored again'),
    });
  });

  test('a released run accepts no baseline, no rescoring and no late score, and is not compared', async () => {
    const [run, other] = [await ranked(), await ranked()];
    await release(run);
    const gone = { code: 'not_found', message: expect.stringContaining('deleted') };
    await expect(setBaseline(run, 'late')).rejects.toMatchObject(gone);
    await expect(rescore(run)).rejects.toMatchObject(gone);
    await expect(compare(run, other)).rejects.toMatchObject(gone);
    await expect(compare(other, run)).rejects.toMatchObject(gone);
    const request = { candidate_run_id: run.run_id, baseline_run_id: other.run_id };
    await expect(fixture.bus.call(gates.preview, { ...ws(), request })).rejects.toMatchObject(gone);
    await purge(run);
    const [first] = run.attempts;
    if (first === undefined) throw new Error('no attempt');
    await fixture.send(run, first);
    // Jobs are handled in order: once a later one is done, this one is.
    const after = other.add('Lima', { agent: 'later' });
    await fixture.score(other, after);
    expect(await rowsOf(run)).toBe(0);
  });

  test('a released run has no scorecard and no failure for readers, also while its rows are still stored', async () => {
    const run = await ranked();
    const [first] = run.attempts;
    const attempt = { ...ws(), attempt_id: first?.attempt_id ?? '' };
    const agent = { ...ws(), run_agent_id: run.idOf('solver') };
    const failures = { ...ws(), run_id: run.run_id, limit: 10 };
    expect((await fixture.bus.call(scorecards.attempt, attempt)).state).toBe('ready');
    expect((await fixture.bus.call(scorecards.runAgent, agent)).state).toBe('ready');
    expect((await fixture.bus.call(scorecards.failures, failures)).items).toHaveLength(1);
    await release(run);
    expect((await fixture.bus.call(scorecards.attempt, attempt)).state).toBe('pending');
    expect((await fixture.bus.call(scorecards.runAgent, agent)).state).toBe('pending');
    expect((await fixture.bus.call(scorecards.failures, failures)).items).toEqual([]);
  });

  test('a run is either released or a baseline when both requests race', async () => {
    for (let round = 0; round < 8; round += 1) {
      const run = await ranked();
      const name = `race-${round}`;
      const [set, released] = await Promise.allSettled([setBaseline(run, name), release(run)]);
      expect([set.status, released.status].sort()).toEqual(['fulfilled', 'rejected']);
      const refused = set.status === 'rejected' ? set : released;
      expect((refused as PromiseRejectedResult).reason).toBeInstanceOf(ContractError);
      const [row] = await database.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM scoring.run_baselines WHERE run_id = $1',
        [run.run_id],
      );
      expect(row?.n).toBe(set.status === 'fulfilled' ? 1 : 0);
    }
  });

  test('a removal that races a rescoring leaves no row behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const run = await ranked();
      const [again, released] = await Promise.allSettled([rescore(run), release(run)]);
      expect([again.status, released.status]).toContain('fulfilled');
      if (released.status === 'rejected') {
        expect(released.reason).toMatchObject({ code: 'conflict' });
        continue;
      }
      await purge(run);
      expect(await rowsOf(run)).toBe(0);
    }
  });
});
