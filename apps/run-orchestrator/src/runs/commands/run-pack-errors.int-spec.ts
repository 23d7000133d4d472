import { attempts, type PackError, runs, scoringEvents } from '@agentclash/contracts';
import { SAME_PACK_ERRORS_MAX } from '@agentclash/run-rules';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

const ERROR: PackError = {
  validator: 'queue',
  type: 'json_path_match',
  reason: 'invalid_expected',
  expected_from: 'case.expectations.queue',
  value: 'billing',
  message:
    'validator queue (json_path_match) cannot read case.expectations.queue = "billing": expected a path',
};

describe('a run of a pack that cannot be graded', () => {
  let agent: Awaited<ReturnType<typeof fixture.scripted>>;

  beforeAll(async () => {
    agent = await fixture.scripted('agent');
  });
  beforeEach(() => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    fakes.packError = () => ERROR;
  });

  const start = async (slug: string, cases: number, more = {}) => {
    const pack = fakes.add(publish(wordPack(cases, { slug })));
    return (await fixture.createRun(pack.version.id, [agent], more)).id;
  };

  test('a run fails with a pack error code after some attempts with the same pack error', async () => {
    const run_id = await start('broken', 200, { max_concurrency: 2 });
    const failed = await fixture.expectRunStatus(run_id, 'failed');
    expect(failed).toMatchObject({
      failure: { code: 'pack_errors', message: `No attempt could be graded: ${ERROR.message}.` },
      pack_errors: [{ ...ERROR, case_key: expect.any(String), attempts: expect.any(Number) }],
    });
    const ended = await waitFor(async () => {
      const run = await fixture.run(run_id);
      return run.finished_at !== null && run;
    });
    const { completed = 0, cancelled = 0 } = ended.progress.by_outcome;
    expect(completed).toBeGreaterThanOrEqual(SAME_PACK_ERRORS_MAX);
    expect(completed).toBeLessThan(100);
    expect(completed + cancelled).toBe(200);
    const history = await fixture.history(run_id);
    const moves = history.filter(({ event_type }) => event_type === 'run.state_changed');
    expect(moves.at(-1)?.payload).toMatchObject({ to: 'failed', reason: 'pack_errors' });
    // Scores of attempts that were being graded then may follow it.
    const ends = history.filter(({ event_type }) => event_type === 'run.completed');
    expect(ends).toMatchObject([{ payload: { status: 'failed' } }]);
    const scored = history.find(({ event_type }) => event_type === 'run.attempt_scored');
    expect(scored?.payload).toMatchObject({ overall: null, passed: null, pack_error: ERROR });
  });

  test('each attempt states why it has no score', async () => {
    const run_id = await start('small', 2);
    const failed = await fixture.expectRunStatus(run_id, 'failed');
    expect(failed).toMatchObject({ failure: { code: 'pack_errors' }, pack_errors: [{ attempts: 2 }] });
    expect(failed.progress).toMatchObject({ scored: 2, graded: 0 });
    const [first] = await fixture.attempts(run_id);
    expect(first).toMatchObject({ overall: null, passed: null, validity: 'invalid', pack_error: ERROR });
    expect(await fixture.bus.call(attempts.get, { workspace_id, attempt_id: first?.id ?? '' })).toMatchObject(
      {
        pack_error: ERROR,
      },
    );
  });

  test('a run continues while other attempts are graded, and names the error beside its ranking', async () => {
    fakes.packError = ({ case_key }) => (case_key === 'case-1' ? undefined : ERROR);
    const run_id = await start('half', 2 * SAME_PACK_ERRORS_MAX, { max_concurrency: 1 });
    const { pack_errors, failure, progress } = await fixture.expectRunStatus(run_id, 'completed');
    expect(pack_errors).toMatchObject([{ validator: 'queue', attempts: 2 * SAME_PACK_ERRORS_MAX - 1 }]);
    expect(failure).toBeUndefined();
    expect(progress).toMatchObject({ scored: 2 * SAME_PACK_ERRORS_MAX, graded: 1, passed: 1 });
  });

  test('a run loses a pack error when the attempt is scored again without it', async () => {
    const run_id = await start('repaired', 1);
    await fixture.expectRunStatus(run_id, 'failed');
    const [attempt] = await fixture.attempts(run_id);
    const { id: attempt_id = '', run_agent_id = '' } = attempt ?? {};
    const score = { revision: 2, overall: 1, passed: true, validity: 'valid', failure: null };
    const items = [{ run_agent_id, attempt_id, rescore_id: newId(), ...score }];
    await fixture.bus.publish(scoringEvents.attemptsScored, { workspace_id, run_id, items }, newId());
    await waitFor(async () => (await fixture.run(run_id)).pack_errors === undefined);
    expect((await fixture.run(run_id)).progress).toMatchObject({ scored: 1, graded: 1 });
    expect((await fixture.attempts(run_id))[0]?.pack_error).toBeUndefined();
  });

  test('a run with pack errors can be run again, and loses the errors of its attempts', async () => {
    const run_id = await start('again', 2);
    await fixture.expectRunStatus(run_id, 'failed');
    await waitFor(async () => (await fixture.run(run_id)).finished_at !== null);
    fakes.packError = () => undefined;
    const only = (await fixture.attempts(run_id)).map(({ id }) => id);
    await fixture.bus.call(runs.retry, { workspace_id, run_id, request: { only }, actor: 'tests' });
    const repaired = await fixture.expectRunStatus(run_id, 'completed');
    expect(repaired).toMatchObject({ progress: { scored: 2, graded: 2, passed: 2 } });
    expect(repaired.pack_errors).toBeUndefined();
  });
});
