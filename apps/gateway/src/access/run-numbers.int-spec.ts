import { createClient, routes } from '@agentclash/api';
import { runs, scorecards } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';
import { run } from '../testing/runs.js';

const database = await freshDatabase();
const nats = await freshNats();
const RUN = newId();

describe('the number of a run in a path', () => {
  let fixture: GatewayFixture;
  let parts: { workspace_id: string; part: string }[];

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await fixture.close());
  beforeEach(() => {
    parts = [];
    fixture.fakes.on(runs.findIds, (request) => {
      parts.push(request);
      return { runs: request.part === '#42' ? [RUN] : [], attempts: [] };
    });
    fixture.fakes.on(runs.get, ({ run_id }) => run({ id: run_id, number: 42 }));
  });

  test('a run is read by its number in the workspace, with # before it or not, and so are its parts', async () => {
    const client = fixture.client();
    const { workspace } = await client.call(routes.workspaces.whoami);
    for (const run_id of ['42', '#42']) {
      expect(await client.call(routes.runs.get, { params: { run_id } })).toMatchObject({ id: RUN });
    }
    expect(parts).toEqual(Array(2).fill({ workspace_id: workspace?.id, part: '#42' }));
    fixture.fakes.on(scorecards.ranking, ({ run_id }) => ({
      ...{ run_id, state: 'ready' as const, revision: 1, items: [] },
    }));
    const ranking = await client.call(routes.runs.ranking, { params: { run_id: '42' } });
    expect(ranking).toMatchObject({ run_id: RUN });
  });

  test('a number that no run of the workspace has gets the status 404', async () => {
    const read = fixture.client().call(routes.runs.get, { params: { run_id: '43' } });
    await expect(read).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      detail: 'There is no run 43.',
    });
  });

  test('an id is not looked up as a number', async () => {
    await fixture.client().call(routes.runs.get, { params: { run_id: RUN } });
    expect(parts).toEqual([]);
  });

  test('a number is not looked up for a request without a valid token, or by a link to a run', async () => {
    const anonymous = createClient({
      ...{ baseUrl: fixture.gateway.url, token: 'ac_none', workspace: 'default' },
    });
    const params = { run_id: '42' };
    await expect(anonymous.call(routes.runs.get, { params })).rejects.toMatchObject({ status: 401 });
    const { token } = await fixture
      .client()
      .call(routes.shares.create, { params: { run_id: RUN }, body: {} });
    const { workspace } = await fixture.client().call(routes.workspaces.whoami);
    const visitor = createClient({ baseUrl: fixture.gateway.url, token, workspace: workspace?.id ?? '' });
    await expect(visitor.call(routes.runs.get, { params })).rejects.toMatchObject({ status: 404 });
    expect(parts).toEqual([]);
  });
});
