import { routes } from '@agentclash/api';
import { runs, scorecards } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayWorld } from '../testing/gateway-world.js';
import { run } from '../testing/runs.js';

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

  test('a ranking says when attempts were run again because of their result', async () => {
    world.fakes.on(scorecards.ranking, ({ run_id }) => ({
      run_id,
      state: 'ready' as const,
      revision: 1,
      items: [],
    }));
    const ask = { params: { run_id: newId() } };
    world.fakes.on(runs.get, ({ run_id: id }) => run({ id }));
    expect(await world.client().call(routes.runs.ranking, ask)).not.toHaveProperty('selective_retry');
    world.fakes.on(runs.get, ({ run_id: id }) => run({ id, selective_retry: true }));
    expect(await world.client().call(routes.runs.ranking, ask)).toMatchObject({
      ...{ state: 'ready', revision: 1 },
      selective_retry: true,
    });
  });
});
