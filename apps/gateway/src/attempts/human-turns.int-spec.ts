import { routes } from '@agentclash/api';
import { attempts, ContractError } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayFixture, OPERATOR } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();

describe('human turns and requested phases', () => {
  let fixture: GatewayFixture;
  let home: string;
  const attemptId = newId();
  const params = { attempt_id: attemptId };
  const requests: { workspace_id: string; attempt_id: string; actor: string; request: object }[] = [];

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
    home = (await fixture.client().call(routes.workspaces.whoami)).workspace?.id ?? '';
    const known = <Request extends (typeof requests)[number]>(request: Request): Request => {
      requests.push(request);
      if (request.workspace_id === home && request.attempt_id === attemptId) return request;
      throw new ContractError('not_found', 'There is no such attempt.');
    };
    fixture.fakes.on(attempts.answer, (request) => {
      const { turn_index, message } = known(request).request;
      if (turn_index !== 2) throw new ContractError('conflict', 'That turn does not wait.');
      return {
        attempt_id: attemptId,
        turn_index,
        phase_id: 'talk',
        message,
        given_by: request.actor,
        given_at: NOW,
      };
    });
    fixture.fakes.on(attempts.requestPhase, (request) => {
      const { phase_id } = known(request).request;
      return { attempt_id: attemptId, phase_id, requested_by: request.actor, requested_at: NOW };
    });
  });
  afterAll(async () => await fixture.close());
  beforeEach(() => {
    requests.length = 0;
  });

  async function clientOf(role: 'viewer' | 'member') {
    const { token } = await fixture
      .client()
      .call(routes.tokens.create, { body: { name: `${role} Ann`, role } });
    return fixture.client(token);
  }

  /** Both routes. */
  const both = (client: ReturnType<GatewayFixture['client']>, at = params) => [
    client.call(routes.attempts.answer, { params: at, body: { turn_index: 2, message: 'Hello' } }),
    client.call(routes.attempts.requestPhase, { params: at, body: { phase_id: 'insist' } }),
  ];

  test('a member may send a turn and request a phase in its own workspace, under the name of the token', async () => {
    const done = await Promise.all(both(await clientOf('member')));
    expect(done).toMatchObject([{ turn_index: 2 }, { phase_id: 'insist' }]);
    const who = { workspace_id: home, attempt_id: attemptId, actor: 'member Ann' };
    expect(requests).toEqual([expect.objectContaining(who), expect.objectContaining(who)]);
  });

  test('a viewer may not send a turn, and no service receives the request', async () => {
    const refused = await Promise.allSettled(both(await clientOf('viewer')));
    expect(refused).toMatchObject(refused.map(() => ({ reason: { status: 403, code: 'forbidden' } })));
    expect(requests).toEqual([]);
  });

  test('an attempt of another workspace is indistinguishable from one that does not exist', async () => {
    const operator = fixture.client(OPERATOR, 'elsewhere');
    await operator.call(routes.workspaces.create, { body: { slug: 'elsewhere' } });
    const { token } = await operator.call(routes.tokens.create, { body: { name: 'Eve', role: 'admin' } });
    const stranger = fixture.client(token, 'elsewhere');
    const intruder = fixture.client(token, 'default');
    const lost = await Promise.allSettled([
      ...both(stranger),
      ...both(intruder),
      ...both(fixture.client(), { attempt_id: newId() }),
    ]);
    expect(lost).toMatchObject(lost.map(() => ({ reason: { status: 404, code: 'not_found' } })));
    expect(
      requests.filter((request) => request.workspace_id === home && request.attempt_id === attemptId),
    ).toEqual([]);
  });

  test('a turn that does not wait is a conflict', async () => {
    const wrong = fixture
      .client()
      .call(routes.attempts.answer, { params, body: { turn_index: 0, message: 'Hi' } });
    await expect(wrong).rejects.toMatchObject({ status: 409, code: 'conflict' });
  });
});

const NOW = '2026-01-01T00:00:00.000Z';
