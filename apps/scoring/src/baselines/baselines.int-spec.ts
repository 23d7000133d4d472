import { baselines, comparisons, gates } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CAPITALS_SPEC } from '../testing/capitals-spec.js';
import { ScoringFixture, type TestRun } from '../testing/scoring-fixture.js';

const [database, nats] = await Promise.all([freshDatabase(), freshNats()]);

const actor = 'test';

describe('a baseline belongs to a pack, an input set and a name', () => {
  let fixture: ScoringFixture;
  let version: string;
  let sums: TestRun;
  let triage: TestRun;

  beforeAll(async () => {
    fixture = await ScoringFixture.start({ database, nats });
    version = fixture.publish(CAPITALS_SPEC);
    sums = await ranked({ pack: 'sums' });
    triage = await ranked({ pack: 'triage' });
  });
  afterAll(() => fixture.stop());

  async function ranked(of: Partial<Pick<TestRun, 'pack' | 'inputSet'>> = {}): Promise<TestRun> {
    const run = Object.assign(fixture.run(version), of);
    run.add('Lima');
    run.add('Lima', { case_key: 'chile' });
    await fixture.complete(run);
    return run;
  }

  const ws = () => ({ workspace_id: fixture.workspace_id });
  const set = (name: string, { run_id, replaces }: { run_id: string; replaces?: string | null }) => {
    const spec = { run_id, ...(replaces !== undefined && { replaces }) };
    return fixture.bus.call(baselines.set, { ...ws(), name, spec, actor });
  };

  test('accepting a run of one pack leaves the baseline of another as it was', async () => {
    expect(await set('default', sums)).toMatchObject({
      pack: 'sums',
      input_set: 'default',
      replaced_run_id: null,
    });
    expect(await set('default', triage)).toMatchObject({ pack: 'triage', replaced_run_id: null });
    const { items } = await fixture.bus.call(baselines.list, { ...ws(), name: 'default' });
    expect(items.map(({ pack, run_id }) => [pack, run_id])).toEqual([
      ['sums', sums.run_id],
      ['triage', triage.run_id],
    ]);
  });

  test('accepting a run of another input set leaves the baseline of the first as it was', async () => {
    const small = await ranked({ pack: 'sums', inputSet: 'small' });
    expect(await set('default', small)).toMatchObject({ input_set: 'small', replaced_run_id: null });
    const narrowed = { ...ws(), name: 'default', pack: 'sums', input_set: 'default' };
    expect(await fixture.bus.call(baselines.get, narrowed)).toMatchObject({ run_id: sums.run_id });
  });

  test('a comparison and a gate use the baseline of the pack and input set of the candidate', async () => {
    const candidate = await ranked({ pack: 'sums' });
    const compared = await fixture.bus.call(comparisons.compare, {
      ...ws(),
      ...{ baseline: 'default', candidate: candidate.run_id },
    });
    expect(compared.baseline.run_id).toBe(sums.run_id);
    const request = { candidate_run_id: candidate.run_id };
    const decided = await fixture.bus.call(gates.preview, { ...ws(), request });
    expect(decided.baseline_run_id).toBe(sums.run_id);
    const stranger = await ranked({ pack: 'unheard-of' });
    const refused = fixture.bus.call(gates.preview, {
      ...ws(),
      request: { candidate_run_id: stranger.run_id },
    });
    await expect(refused).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/of the pack unheard-of, input set default.*belong to the pack sums/),
    });
  });

  test('a name that several packs use is ambiguous without its pack, and is listed page by page', async () => {
    const ambiguous = {
      code: 'invalid_input',
      message: expect.stringMatching(/the pack sums.*the pack triage/),
    };
    await expect(fixture.bus.call(baselines.get, { ...ws(), name: 'default' })).rejects.toMatchObject(
      ambiguous,
    );
    await expect(fixture.bus.call(baselines.remove, { ...ws(), name: 'default' })).rejects.toMatchObject(
      ambiguous,
    );
    const first = await fixture.bus.call(baselines.list, { ...ws(), limit: 2 });
    expect(first.items.map(({ pack, input_set }) => `${pack}/${input_set}`)).toEqual([
      'sums/default',
      'sums/small',
    ]);
    const next = await fixture.bus.call(baselines.list, {
      ...ws(),
      limit: 2,
      cursor: first.next_cursor ?? '',
    });
    expect(next.items.map(({ pack }) => pack)).toEqual(['triage']);
  });

  test('only the named baseline is removed', async () => {
    await set('passing', sums);
    await set('passing', triage);
    await fixture.bus.call(baselines.remove, { ...ws(), name: 'passing', pack: 'sums' });
    expect(await fixture.bus.call(baselines.get, { ...ws(), name: 'passing' })).toMatchObject({
      pack: 'triage',
    });
  });

  test('a baseline is set only if the run to be replaced is the expected one', async () => {
    const [before, other] = [await ranked({ pack: 'guarded' }), await ranked({ pack: 'guarded' })];
    await set('default', { run_id: before.run_id, replaces: null });
    const conflict = { code: 'conflict', details: { errors: [{ code: 'changed', field: 'replaces' }] } };
    await expect(set('default', { run_id: other.run_id, replaces: null })).rejects.toMatchObject(conflict);
    await expect(set('default', { run_id: other.run_id, replaces: newId() })).rejects.toMatchObject(conflict);
    const moved = await set('default', { run_id: other.run_id, replaces: before.run_id });
    expect(moved).toMatchObject({ run_id: other.run_id, replaced_run_id: before.run_id });
  });

  const UNFIT: [code: string, changes: Partial<TestRun> & { isFinished?: boolean; isScored?: boolean }][] = [
    ['run_not_over', { isFinished: false, isScored: false }],
    ['run_not_completed', { status: 'cancelled' }],
    ['run_not_completed', { status: 'failed' }],
    ['run_of_draft', { isDraft: true }],
    ['selective_retry', { selectiveRetry: true }],
    ['recorded_model_calls', { modelCalls: 'replay' }],
    ['recorded_model_calls', { modelCalls: 'cache' }],
    ['not_scored', { isScored: false }],
  ];
  test.each(UNFIT)('a run that no gate could decide against is refused: %s %j', async (code, changes) => {
    const { isFinished = true, isScored = true, ...state } = changes;
    const run = Object.assign(fixture.run(version), { pack: 'unfit' });
    run.add('Lima', { isFinished });
    if (isScored) await fixture.complete(run);
    Object.assign(run, state);
    await expect(set('default', run)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(run.run_id),
      details: { errors: [{ code, field: 'run_id' }] },
    });
    expect(await fixture.bus.call(baselines.list, { ...ws(), pack: 'unfit' })).toMatchObject({ items: [] });
  });

  test('a baseline of an earlier release is found under its pack, and again when that release moves it', async () => {
    const [old, moved] = [await ranked({ pack: 'aged' }), await ranked({ pack: 'aged' })];
    const write = (run_id: string, updated_at: string) =>
      database.query(
        `INSERT INTO scoring.baselines (workspace_id, name, run_id, updated_at, updated_by) VALUES ($1, 'aged', $2, $3, 'ada')
         ON CONFLICT (workspace_id, name) DO UPDATE SET run_id = $2, updated_at = $3`,
        [fixture.workspace_id, run_id, updated_at],
      );
    const found = () => fixture.bus.call(baselines.get, { ...ws(), name: 'aged' });
    await write(old.run_id, '2026-01-01T00:00:00.000Z');
    expect(await found()).toMatchObject({
      pack: 'aged',
      input_set: 'default',
      run_id: old.run_id,
      updated_by: 'ada',
    });
    await write(moved.run_id, '2126-01-01T00:00:00.000Z');
    expect(await found()).toMatchObject({ run_id: moved.run_id });
    await database.query('UPDATE scoring.baselines SET adopted_at = updated_at');
    await fixture.bus.call(baselines.remove, { ...ws(), name: 'aged' });
    await expect(found()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a baseline of an earlier release whose run was deleted is not listed, and the others are', async () => {
    await database.query(
      `INSERT INTO scoring.baselines (workspace_id, name, run_id, updated_by) VALUES ($1, 'orphan', $2, 'ada')`,
      [fixture.workspace_id, newId()],
    );
    await expect(fixture.bus.call(baselines.get, { ...ws(), name: 'orphan' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await fixture.bus.call(baselines.get, { ...ws(), name: 'default', pack: 'triage' })).toMatchObject(
      {
        run_id: triage.run_id,
      },
    );
  });
});
