import { attempts, runs, scoringEvents } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;
const NO_ATTEMPT = { id: '', run_agent_id: '' };

describe('a run, from its creation to its ranking', () => {
  test('a run goes through queue, leases, events and scores to completed, and its history has no gap', async () => {
    const pack = fakes.add(publish(wordPack(3)));
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const created = await fixture.createRun(
      pack.version.id,
      [await fixture.scripted('a'), await fixture.scripted('b')],
      {
        repetitions: 2,
      },
    );
    // An executor may have begun before the reply is made.
    expect(created).toMatchObject({ progress: { total: 12, scored: 0 } });

    const run_id = created.id;
    const { progress, finished_at } = await fixture.expectRunStatus(run_id, 'completed');
    expect(progress).toEqual({
      total: 12,
      queued: 0,
      running: 0,
      finished: 12,
      scored: 12,
      graded: 12,
      passed: 12,
      by_outcome: { completed: 12 },
    });
    expect(finished_at).not.toBeNull();
    const { items: agents } = await fixture.bus.call(runs.agents, { workspace_id, run_id });
    expect(agents).toMatchObject([
      { name: 'a', overall_so_far: 1, progress: { total: 6, finished: 6 } },
      { name: 'b', overall_so_far: 1, progress: { total: 6, finished: 6 } },
    ]);
    const [first] = agents;
    const run_agent_id = first?.id ?? '';
    expect(await fixture.bus.call(runs.agent, { workspace_id, run_agent_id })).toEqual(first);

    const history = await fixture.history(run_id);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
    const own = history.filter((event) => event.delivery === undefined);
    expect(own.map(({ sequence_number }) => sequence_number)).toEqual(own.map((_, index) => index + 1));
    const moves = own.filter(({ event_type }) => event_type === 'run.state_changed');
    expect(moves.map(({ payload }) => payload.to)).toEqual(['queued', 'running', 'scoring', 'completed']);
    expect(history.at(-1)).toMatchObject({ event_type: 'run.completed', payload: { status: 'completed' } });
  });

  test('an attempt is returned with its deliveries, its final output and the stored case', async () => {
    const [run] = (await fixture.bus.call(runs.list, { workspace_id })).items;
    const [first] = await fixture.attempts(run?.id ?? '');
    const attempt_id = first?.id ?? '';
    expect(await fixture.bus.call(attempts.get, { workspace_id, attempt_id })).toMatchObject({
      state: 'finished',
      outcome: 'completed',
      is_scored: true,
      overall: 1,
      final_output: 'w\u0000rd',
      deliveries: [{ delivery: 1, outcome: 'completed' }],
      stored_case: { case_key: 'case-1', position: 0, document: { payload: { word: 'w1' } } },
    });
    const { items, has_more } = await fixture.bus.call(attempts.events, {
      workspace_id,
      attempt_id,
      limit: 2,
    });
    expect(items.map(({ sequence_number }) => sequence_number)).toEqual([1, 2]);
    expect(has_more).toBe(true);
  });

  test('a run is ranked again when a scorecard is replaced, unless a rescoring does that', async () => {
    const pack = fakes.add(publish(wordPack(1, { slug: 'replaced' })));
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const agents = [await fixture.scripted('replaced-1'), await fixture.scripted('replaced-2')];
    const { id: run_id } = await fixture.createRun(pack.version.id, agents);
    await fixture.expectRunStatus(run_id, 'completed');
    const rankings = () => fakes.rankings.filter((ranked) => ranked === run_id).length;
    expect(rankings()).toBe(1);
    const publishScore = async (index: number, rescore_id: string | null) => {
      const { id: attempt_id, run_agent_id } = (await fixture.attempts(run_id))[index] ?? NO_ATTEMPT;
      const score = { revision: 2, overall: 0, passed: false, validity: 'valid', failure: null };
      const items = [{ run_agent_id, attempt_id, rescore_id, ...score }];
      await fixture.bus.publish(scoringEvents.attemptsScored, { workspace_id, run_id, items }, newId());
      await waitFor(async () => (await fixture.attempts(run_id))[index]?.overall === 0);
    };
    await publishScore(0, newId());
    await publishScore(1, null);
    await waitFor(() => rankings() === 2);
    const due = 'SELECT 1 FROM runs.runs WHERE id = $1 AND score_due_at IS NOT NULL';
    await waitFor(async () => (await database.query(due, [run_id])).length === 0);
    expect(rankings()).toBe(2);
    expect(await fixture.run(run_id)).toMatchObject({
      status: 'completed',
      progress: { passed: 0, scored: 2 },
    });
  });

  test('a run fails when no attempt could be graded', async () => {
    const pack = fakes.add(publish(wordPack(2, { slug: 'ungraded' })));
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    fakes.judge = () => null;
    const run = await fixture.createRun(pack.version.id, [await fixture.scripted('ungraded')]);
    expect(await fixture.expectRunStatus(run.id, 'failed')).toMatchObject({
      progress: { finished: 2, scored: 2, passed: 0 },
    });
  });

  test('a run completes when an attempt has a usable scorecard, though none has an overall', async () => {
    const pack = fakes.add(publish(wordPack(2, { slug: 'without-overall' })));
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    fakes.judge = () => null;
    fakes.validityWithoutOverall = 'valid';
    const run = await fixture.createRun(pack.version.id, [await fixture.scripted('without-overall')]);
    const ended = await fixture.expectRunStatus(run.id, 'completed');
    expect(ended.failure).toBeUndefined();
    expect(ended.progress).toMatchObject({ scored: 2, graded: 2 });
    const { items } = await fixture.bus.call(runs.agents, {
      workspace_id: ended.workspace_id,
      run_id: run.id,
    });
    expect(items).toMatchObject([{ status: 'completed', overall_so_far: null }]);
  });
});
