import { gateEvents, gates, type In } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ScoringFixture, type TestRun } from '../testing/scoring-fixture.js';

const SPEC = {
  name: 'capitals',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [{ key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:Lima' }],
  scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
};

const database = await freshDatabase();
const nats = await freshNats();

describe('decisions of gates on the bus', () => {
  let fixture: ScoringFixture;
  let run: TestRun;
  let published: In<typeof gateEvents.decided>[];

  beforeAll(async () => {
    fixture = await ScoringFixture.start({ database, nats });
    published = fixture.received(gateEvents.decided);
    run = fixture.run(fixture.publish(SPEC));
    run.add('Lima');
    await fixture.complete(run);
  });
  afterAll(() => fixture.stop());

  const evaluate = async () =>
    await fixture.bus.call(gates.evaluate, {
      workspace_id: fixture.workspace_id,
      request: { baseline_run_id: run.run_id, candidate_run_id: run.run_id },
      actor: 'ci',
    });
  const isOf = (id: string) => published.filter(({ comparison_id }) => comparison_id === id);

  test('a stored decision is published, with the candidate, the verdict and its requester', async () => {
    const { comparison_id, verdict, reasons } = await evaluate();
    await waitFor(async () => isOf(comparison_id).length > 0);
    expect(isOf(comparison_id)).toMatchObject([
      {
        workspace_id: fixture.workspace_id,
        candidate_run_id: run.run_id,
        verdict,
        reasons,
        decided_by: 'ci',
      },
    ]);
  });

  test('a decision that a process stored and did not publish is published by the next', async () => {
    const { comparison_id } = await evaluate();
    // As of a process that ended between the two.
    const id = newId();
    await database.query(
      `INSERT INTO scoring.gate_decisions
         (comparison_id, workspace_id, baseline_run_id, candidate_run_id, policy_fingerprint, policy, verdict, reasons, exit_code, decided_by)
       SELECT $1, workspace_id, baseline_run_id, candidate_run_id, policy_fingerprint, policy, verdict, reasons, exit_code, 'ended'
         FROM scoring.gate_decisions WHERE comparison_id = $2`,
      [id, comparison_id],
    );
    await waitFor(async () => isOf(id).length > 0, { timeoutMs: 15_000 });
    expect(isOf(id)).toMatchObject([{ decided_by: 'ended', candidate_run_id: run.run_id }]);
  }, 30_000);
});
