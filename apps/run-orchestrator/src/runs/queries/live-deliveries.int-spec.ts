import { deliveries, type In, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claim, finish, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;

describe('a delivery is at work', () => {
  const pack = fakes.add(publish(wordPack(1)));
  let agent: Awaited<ReturnType<typeof fixture.scripted>>;
  let request: In<typeof deliveries.live>;
  let runAgentId: string;

  beforeAll(async () => {
    agent = await fixture.scripted('agent');
  });
  beforeEach(async () => {
    const { id: run_id } = await fixture.createRun(pack.version.id, [agent]);
    const [attempt] = await fixture.attempts(run_id);
    if (attempt === undefined) throw new Error('the run has no attempt');
    runAgentId = attempt.run_agent_id;
    request = { workspace_id, run_id, attempt_id: attempt.id, delivery: 1, work: 'execution' };
  });

  const live = async (change: Partial<typeof request> = {}) =>
    (await fixture.bus.call(deliveries.live, { ...request, ...change })).run_agent_id;

  test('a delivery is live from its claim to its end, by name of its run agent', async () => {
    expect(await live()).toBeNull();
    await claim(fixture.bus, request.attempt_id, 'e');
    expect(await live()).toBe(runAgentId);
    const result = resultOf({ last_sequence: 9 });
    const { attempt_id } = request;
    await finish(fixture.bus, { attempt_id, delivery: 1, executor_id: 'e' }, result);
    expect(await live()).toBeNull();
  });

  test.each([
    ['another workspace', () => ({ workspace_id: newId() })],
    ['another run', () => ({ run_id: newId() })],
    ['another attempt', () => ({ attempt_id: newId() })],
    ['another delivery', () => ({ delivery: 2 })],
  ])('a delivery is not live as one of %s', async (_what, change) => {
    await claim(fixture.bus, request.attempt_id, 'e');
    expect(await live(change())).toBeNull();
  });

  test('a delivery is not live once its run was cancelled, nor once its lease ran out', async () => {
    await claim(fixture.bus, request.attempt_id, 'e');
    await fixture.bus.call(runs.cancel, { workspace_id, run_id: request.run_id, actor: 'tests' });
    expect(await live()).toBeNull();

    const { id: run_id } = await fixture.createRun(pack.version.id, [agent]);
    const [attempt] = await fixture.attempts(run_id);
    const other = { run_id, attempt_id: attempt?.id ?? '' };
    await claim(fixture.bus, other.attempt_id, 'e');
    expect(await live(other)).not.toBeNull();
    await database.query(`UPDATE runs.attempts SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      other.attempt_id,
    ]);
    expect(await live(other)).toBeNull();
  });

  test('an ended attempt is live for judges, also when its run has ended and is scored again', async () => {
    const judged = { work: 'judging' } as const;
    await claim(fixture.bus, request.attempt_id, 'e');
    expect(await live(judged)).toBeNull();
    const result = resultOf({ last_sequence: 9 });
    const { attempt_id } = request;
    await finish(fixture.bus, { attempt_id, delivery: 1, executor_id: 'e' }, result);
    expect(await live(judged)).toBe(runAgentId);
    await database.query(`UPDATE runs.attempts SET score_due_at = now() WHERE id = $1`, [attempt_id]);
    await fixture.expectRunStatus(request.run_id, 'failed');
    expect(await live(judged)).toBe(runAgentId);
    expect(await live()).toBeNull();
  });
});
