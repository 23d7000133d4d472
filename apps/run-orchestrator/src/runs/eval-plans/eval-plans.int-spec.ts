import { type EvalPlan, type EvalPlanRequest, evalPlans } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { executeAttempt, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;
const CASES = 40;

describe('the plan of a race', () => {
  const pack = fakes.add(publish(wordPack(CASES)));
  let lanes: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    lanes = [await fixture.scripted('good'), await fixture.scripted('bad'), await fixture.scripted('new')];
  });
  beforeEach(() => {
    fakes.execute = (job, bus) => executeAttempt(job, bus, resultOf({ cost_usd: 0.25 }));
    fakes.judge = () => 1;
    fakes.plannedRaces.splice(0);
  });

  const plan = async (request: Partial<EvalPlanRequest> = {}, count = 2): Promise<EvalPlan> =>
    await fixture.bus.call(evalPlans.make, {
      workspace_id,
      request: {
        challenge_pack_version_id: pack.version.id,
        deployment_ids: lanes.slice(0, count).map(({ id }) => id),
        ...request,
      },
    });

  test('a race of lanes that never ran has cases and attempts, and its cost and time are unknown', async () => {
    const made = await plan({ repetitions: 3 }, 3);
    expect(made).toMatchObject({
      ...{ goal: 'ranking', metric: 'pass', alpha: 0.05, margin: 0, difference: 0.1, pairs: 3 },
      discordance: { source: 'assumed', run_ids: [] },
      all: { cases: CASES, attempts: CASES * 9, cost_usd: null, duration_ms: null },
      fixed: { cases: 100, is_possible: false },
    });
    expect(made.lanes).toMatchObject([
      { name: 'good', unknown_cost: 'no_earlier_run', run_id: null },
      {},
      {},
    ]);
    expect(made.warnings.map(({ code }) => code)).toEqual(['too_few_cases', 'no_earlier_run']);
    expect(fakes.plannedRaces).toMatchObject([
      { lanes: 3, cases: CASES, discordance: null, earlier: [], seed: 1 },
    ]);
  });

  test('the figures are of the last completed run of each lane on this version and input set', async () => {
    const run = await fixture.createRun(pack.version.id, lanes.slice(0, 2));
    await fixture.expectRunStatus(run.id, 'completed');
    const made = await plan({ max_concurrency: 4 });
    expect(made).toMatchObject({
      concurrency: 4,
      discordance: { source: 'earlier_runs', run_ids: [run.id] },
      all: { attempts: 2 * CASES, cost_usd: 0.25 * 2 * CASES },
    });
    for (const lane of made.lanes) {
      expect(lane).toMatchObject({ cost_usd: 0.25, attempts: CASES, run_id: run.id, unknown_cost: null });
    }
    expect(made.all.duration_ms).toBeGreaterThan(0);
    const ones = Array.from({ length: CASES }, () => 1);
    expect(fakes.plannedRaces).toMatchObject([{ earlier: [ones, ones] }]);
    const withNew = await plan({}, 3);
    expect(withNew.concurrency).toBeGreaterThan(0);
    expect(withNew.all.cost_usd).toBeNull();
  });

  test('a run that stopped before an attempt of a lane was scored is no sample of it', async () => {
    const [earlier] = (await plan()).lanes;
    const stopped = await fixture.createRun(pack.version.id, lanes.slice(0, 2));
    await fixture.expectRunStatus(stopped.id, 'completed');
    expect((await plan()).lanes[0]).toMatchObject({ run_id: stopped.id });
    await fixture.database.query(`UPDATE runs.run_agents SET scored = 0 WHERE run_id = $1`, [stopped.id]);
    expect((await plan()).lanes[0]).toEqual(earlier);
  });

  test('a run of another version gives the cost of a lane, and no discordance', async () => {
    const next = fakes.add(publish(wordPack(CASES)));
    const made = await plan({ challenge_pack_version_id: next.version.id });
    expect(made.lanes[0]).toMatchObject({ cost_usd: 0.25 });
    expect(made.discordance).toMatchObject({ source: 'assumed', run_ids: [] });
  });

  test('a requested discordance needs no earlier values', async () => {
    const made = await plan({ discordance: 0.2, difference: 0.05, seed: 8, case_keys: ['case-1', 'case-2'] });
    expect(made).toMatchObject({ discordance: { value: 0.2, source: 'request' }, all: { cases: 2 } });
    expect(fakes.plannedRaces).toMatchObject([{ discordance: 0.2, difference: 0.05, seed: 8, earlier: [] }]);
  });

  test('a ranking of one lane, an unknown version and a metric that is never graded are refused', async () => {
    await expect(plan({}, 1)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ field: 'decided.goal' }] },
    });
    await expect(plan({ challenge_pack_version_id: newId() })).rejects.toMatchObject({ code: 'not_found' });
    const text = wordPack(2, { slug: 'ungraded' }).replace(', pass_threshold: 1', '');
    const ungraded = fakes.add(publish(text));
    await expect(plan({ challenge_pack_version_id: ungraded.version.id })).rejects.toMatchObject({
      details: { errors: [{ field: 'decided.metric' }] },
    });
  });
});
