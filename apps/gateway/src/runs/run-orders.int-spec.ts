import { routes } from '@agentclash/api';
import { ContractError, runs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';
import { run } from '../testing/runs.js';

const database = await freshDatabase();
const nats = await freshNats();

describe('commands to a run', () => {
  let fixture: GatewayFixture;
  const params = { run_id: newId() };

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await fixture.close());

  test.each(['pause', 'resume'] as const)('%s is accepted, and refused in another state', async (order) => {
    fixture.fakes.on(runs[order], ({ run_id: id }) => run({ id, status: 'running' }));
    const taken = await fixture.client().call(routes.runs[order], { params });
    expect(taken).toMatchObject({ id: params.run_id });
    expect(fixture.fakes.last(runs[order])).toMatchObject({ run_id: params.run_id });
    fixture.fakes.on(runs[order], () => {
      throw new ContractError('conflict', 'The run is over.');
    });
    const refused = fixture.client().call(routes.runs[order], { params });
    await expect(refused).rejects.toMatchObject({ status: 409, code: 'conflict' });
  });

  test('deleting a run requires the role admin, and a refusal names what holds the run', async () => {
    const removed: string[] = [];
    fixture.fakes.on(runs.remove, ({ run_id }) => {
      removed.push(run_id);
      return {};
    });
    for (const role of ['viewer', 'member'] as const) {
      const { token } = await fixture.client().call(routes.tokens.create, { body: { name: role, role } });
      const refused = fixture.client(token).call(routes.runs.remove, { params });
      await expect(refused).rejects.toMatchObject({ status: 403 });
    }
    expect(removed).toEqual([]);
    await fixture.client().call(routes.runs.remove, { params });
    expect(removed).toEqual([params.run_id]);
    const baselines = [{ name: 'default', pack: 'sums', input_set: 'all' }];
    fixture.fakes.on(runs.remove, () => {
      throw new ContractError('conflict', 'The run is the baseline "default".', { baselines });
    });
    const refused = fixture.client().call(routes.runs.remove, { params });
    await expect(refused).rejects.toMatchObject({ status: 409, facts: { baselines } });
  });

  test('a retry sent twice with one key happens once', async () => {
    fixture.fakes.on(runs.retry, ({ run_id: id }) => ({ ...run({ id, status: 'running' }), retried: 3 }));
    const request = { params, body: { only: 'infra' as const }, idempotencyKey: newId() };
    const [first, again] = [
      await fixture.client().call(routes.runs.retry, request),
      await fixture.client().call(routes.runs.retry, request),
    ];
    expect(first).toMatchObject({ retried: 3 });
    expect(again).toEqual(first);
    expect(fixture.fakes.count(runs.retry)).toBe(1);
    expect(fixture.fakes.last(runs.retry)?.request).toEqual({ only: 'infra' });
  });

  test.each([{ only: 'all' }, { only: [] }, { only: ['x'] }, {}, { only: 'infra', also: 1 }])(
    'a retry of %j is not valid',
    async (body) => {
      const refused = fixture.client().call(routes.runs.retry, { params, body: body as never });
      await expect(refused).rejects.toMatchObject({ status: 422, code: 'invalid_input' });
    },
  );
});
