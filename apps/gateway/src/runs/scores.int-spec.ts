import { routes } from '@agentclash/api';
import { runs, scorecards } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';
import { run } from '../testing/runs.js';

const database = await freshDatabase();
const nats = await freshNats();

const NOT_SCORED = {
  state: 'pending',
  ...{ revision: null, evaluation_spec_id: null, spec_hash: null, evidence_hash: null },
  ...{ scored_at: null, scorecard: null, failure: null },
} as const;

describe('scores of runs and attempts', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await fixture.close());

  test('the scores of an unknown run or attempt get the status 404, rather than pending for ever', async () => {
    fixture.fakes.on(scorecards.ranking, ({ run_id }) => ({
      run_id,
      state: 'pending' as const,
      revision: null,
      items: [],
    }));
    fixture.fakes.on(scorecards.failures, () => ({ items: [], next_cursor: null }));
    fixture.fakes.on(scorecards.attempt, ({ attempt_id }) => ({ attempt_id, ...NOT_SCORED }));
    const client = fixture.client();
    const ofRun = { params: { run_id: newId() } };
    const missing = { status: 404, code: 'not_found' };
    await expect(client.call(routes.runs.ranking, ofRun)).rejects.toMatchObject(missing);
    await expect(client.call(routes.runs.failures, ofRun)).rejects.toMatchObject(missing);
    fixture.fakes.on(scorecards.runAgent, ({ run_agent_id }) => ({ run_agent_id, ...NOT_SCORED }));
    await expect(
      client.call(routes.runAgents.scorecard, { params: { run_agent_id: newId() } }),
    ).rejects.toMatchObject(missing);
    await expect(
      client.call(routes.attempts.scorecard, { params: { attempt_id: newId() } }),
    ).rejects.toMatchObject(missing);
  });

  test('the scorecard of a lane names its deployment, variant and baseline', async () => {
    const variant = { deployment: 'coder', name: 'docs', baseline: 'bare' };
    const params = { run_agent_id: newId() };
    fixture.fakes.on(scorecards.runAgent, ({ run_agent_id }) => ({ run_agent_id, ...NOT_SCORED }));
    fixture.fakes.on(runs.agent, ({ run_agent_id: id }) => ({
      ...{
        id,
        run_id: newId(),
        deployment_id: newId(),
        deployment_revision: 1,
        name: 'coder (docs)',
        variant,
      },
      ...{ kind: 'program', progress: run({}).progress, overall_so_far: null },
    }));
    expect(await fixture.client().call(routes.runAgents.scorecard, { params })).toMatchObject({
      ...params,
      ...{ state: 'pending', variant },
    });
  });

  test('a ranking states when attempts were retried because of their result', async () => {
    fixture.fakes.on(scorecards.ranking, ({ run_id }) => ({
      run_id,
      state: 'ready' as const,
      revision: 1,
      items: [],
    }));
    const request = { params: { run_id: newId() } };
    fixture.fakes.on(runs.get, ({ run_id: id }) => run({ id }));
    expect(await fixture.client().call(routes.runs.ranking, request)).not.toHaveProperty('selective_retry');
    fixture.fakes.on(runs.get, ({ run_id: id }) => run({ id, selective_retry: true }));
    expect(await fixture.client().call(routes.runs.ranking, request)).toMatchObject({
      ...{ state: 'ready', revision: 1 },
      selective_retry: true,
    });
  });
});
