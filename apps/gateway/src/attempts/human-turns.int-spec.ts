import { routes } from '@agentclash/api';
import { attempts, ContractError } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayWorld, OPERATOR } from '../testing/gateway-world.js';

const database = await freshDatabase();
const nats = await freshNats();

describe('what people do in a conversation', () => {
  let world: GatewayWorld;
  let home: string;
  const attemptId = newId();
  const params = { attempt_id: attemptId };
  const asked: { workspace_id: string; attempt_id: string; actor: string; request: object }[] = [];

  beforeAll(async () => {
    world = await GatewayWorld.start({ database: database.url, nats: nats.url });
    home = (await world.client().call(routes.workspaces.whoami)).workspace?.id ?? '';
    const known = <Ask extends (typeof asked)[number]>(ask: Ask): Ask => {
      asked.push(ask);
      if (ask.workspace_id === home && ask.attempt_id === attemptId) return ask;
      throw new ContractError('not_found', 'There is no such attempt.');
    };
    world.fakes.on(attempts.answer, (ask) => {
      const { turn_index, message } = known(ask).request;
      if (turn_index !== 2) throw new ContractError('conflict', 'That turn does not wait.');
      return {
        attempt_id: attemptId,
        turn_index,
        phase_id: 'talk',
        message,
        given_by: ask.actor,
        given_at: NOW,
      };
    });
    world.fakes.on(attempts.requestPhase, (ask) => {
      const { phase_id } = known(ask).request;
      return { attempt_id: attemptId, phase_id, requested_by: ask.actor, requested_at: NOW };
    });
  });
  afterAll(async () => await world.close());
  beforeEach(() => {
    asked.length = 0;
  });

  async function clientOf(role: 'viewer' | 'member') {
    const { token } = await world
      .client()
      .call(routes.tokens.create, { body: { name: `${role} Ann`, role } });
    return world.client(token);
  }

  /** Both doors, by what is asked of them. */
  const both = (client: ReturnType<GatewayWorld['client']>, at = params) => [
    client.call(routes.attempts.answer, { params: at, body: { turn_index: 2, message: 'Hello' } }),
    client.call(routes.attempts.requestPhase, { params: at, body: { phase_id: 'insist' } }),
  ];

  test('a member may do, under the name of the token, in its own workspace', async () => {
    const done = await Promise.all(both(await clientOf('member')));
    expect(done).toMatchObject([{ turn_index: 2 }, { phase_id: 'insist' }]);
    const who = { workspace_id: home, attempt_id: attemptId, actor: 'member Ann' };
    expect(asked).toEqual([expect.objectContaining(who), expect.objectContaining(who)]);
  });

  test('a viewer may not, and nobody is asked', async () => {
    const refused = await Promise.allSettled(both(await clientOf('viewer')));
    expect(refused).toMatchObject(refused.map(() => ({ reason: { status: 403, code: 'forbidden' } })));
    expect(asked).toEqual([]);
  });

  test('an attempt of another workspace answers like one that does not exist', async () => {
    const operator = world.client(OPERATOR, 'elsewhere');
    await operator.call(routes.workspaces.create, { body: { slug: 'elsewhere' } });
    const { token } = await operator.call(routes.tokens.create, { body: { name: 'Eve', role: 'admin' } });
    const stranger = world.client(token, 'elsewhere');
    const intruder = world.client(token, 'default');
    const lost = await Promise.allSettled([
      ...both(stranger),
      ...both(intruder),
      ...both(world.client(), { attempt_id: newId() }),
    ]);
    expect(lost).toMatchObject(lost.map(() => ({ reason: { status: 404, code: 'not_found' } })));
    expect(asked.filter((ask) => ask.workspace_id === home && ask.attempt_id === attemptId)).toEqual([]);
  });

  test('a turn that does not wait is a conflict', async () => {
    const wrong = world
      .client()
      .call(routes.attempts.answer, { params, body: { turn_index: 0, message: 'Hi' } });
    await expect(wrong).rejects.toMatchObject({ status: 409, code: 'conflict' });
  });
});

const NOW = '2026-01-01T00:00:00.000Z';
