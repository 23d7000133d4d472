import { routes } from '@agentclash/api';
import { runs, scorecards } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayWorld } from '../testing/gateway-world.js';

const database = await freshDatabase();
const nats = await freshNats();

const NOT_SCORED = {
  state: 'pending',
  ...{ revision: null, evaluation_spec_id: null, spec_hash: null, evidence_hash: null },
  ...{ scored_at: null, scorecard: null, failure: null },
} as const;

describe('what was scored', () => {
  let world: GatewayWorld;

  beforeAll(async () => {
    world = await GatewayWorld.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await world.close());

  test('a run or attempt that does not exist is not found, rather than pending for ever', async () => {
    world.fakes.on(scorecards.ranking, ({ run_id }) => ({
      run_id,
      state: 'pending' as const,
      revision: null,
      items: [],
    }));
    world.fakes.on(scorecards.failures, () => ({ items: [], next_cursor: null }));
    world.fakes.on(scorecards.attempt, ({ attempt_id }) => ({ attempt_id, ...NOT_SCORED }));
    const client = world.client();
    const ofRun = { params: { run_id: newId() } };
    const missing = { status: 404, code: 'not_found' };
    await expect(client.call(routes.runs.ranking, ofRun)).rejects.toMatchObject(missing);
    await expect(client.call(routes.runs.failures, ofRun)).rejects.toMatchObject(missing);
    world.fakes.on(scorecards.runAgent, ({ run_agent_id }) => ({ run_agent_id, ...NOT_SCORED }));
    await expect(
      client.call(routes.runAgents.scorecard, { params: { run_agent_id: newId() } }),
    ).rejects.toMatchObject(missing);
    await expect(
      client.call(routes.attempts.scorecard, { params: { attempt_id: newId() } }),
    ).rejects.toMatchObject(missing);
  });

  test('a ranking that is ready is answered at once', async () => {
    world.fakes.on(scorecards.ranking, ({ run_id }) => ({
      run_id,
      state: 'ready' as const,
      revision: 1,
      items: [],
    }));
    const asked = world.fakes.count(runs.get);
    const ranking = await world.client().call(routes.runs.ranking, { params: { run_id: newId() } });
    expect(ranking).toMatchObject({ state: 'ready', revision: 1 });
    expect(world.fakes.count(runs.get)).toBe(asked);
  });
});
