import { type Payload, WIRE_KEYS } from '@agentclash/domain';
import { BudgetExhausted, type CallAmount, type CallBudget } from '@agentclash/models';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { prepareCall } from '../prepare.js';
import { WIRES } from '../routes.js';
import { CHAT, CHAT_REPLY, EXCHANGES } from '../testing/exchanges.js';
import { brokerOf, RawProvider, send, sse } from '../testing/harness.js';

let provider: RawProvider;
let baseUrl: string;
beforeEach(async () => {
  provider = new RawProvider();
  baseUrl = await provider.start();
  provider.handler = (_received, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(CHAT_REPLY));
  };
});
afterEach(async () => await provider.close());

function budgetOf(calls = Number.POSITIVE_INFINITY) {
  const reserved: CallAmount[] = [];
  const settled: (CallAmount | null)[] = [];
  const budget: CallBudget = {
    async reserve(bound) {
      if (reserved.length >= calls) throw new BudgetExhausted();
      reserved.push(bound);
      return { settle: async (used) => void settled.push(used) };
    },
  };
  return { budget, reserved, settled };
}

describe('a call of a program under a budget', () => {
  test('a call of a program without a limit is sent the one that is reserved, and counts what was used', async () => {
    const { budget, reserved, settled } = budgetOf();
    const { broker } = brokerOf(baseUrl, { budget, limitsReplies: true });
    expect(await send(broker, CHAT)).toMatchObject({ status: 200 });
    const [sent] = provider.received;
    expect(sent?.body).toMatchObject({ max_tokens: 4_096 });
    expect(reserved).toEqual([
      { tokens: Buffer.byteLength(JSON.stringify(sent?.body)) + 4_096, costUsd: null },
    ]);
    expect(settled).toEqual([{ tokens: 10, costUsd: null }]);
    broker.close();
  });

  test('a call of a program with limits of its own keeps them, for each of its replies', async () => {
    const { budget, reserved } = budgetOf();
    const { broker } = brokerOf(baseUrl, { budget, limitsReplies: true });
    await send(broker, { ...CHAT, body: { ...CHAT.body, max_completion_tokens: 30, max_tokens: 70, n: 2 } });
    const [sent] = provider.received;
    const input = Buffer.byteLength(JSON.stringify(sent?.body));
    // Providers differ in the limit that they take.
    expect(reserved).toMatchObject([{ tokens: input + 2 * 70 }]);
    broker.close();
  });

  test('a reply that was cut counts as all that was reserved', async () => {
    provider.handler = (_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse([{ id: 'r1', choices: [{ index: 0, delta: { content: 'part' } }] }]));
      setImmediate(() => response.destroy());
    };
    const { budget, settled } = budgetOf();
    const { broker } = brokerOf(baseUrl, { budget, limitsReplies: true });
    await send(broker, { ...CHAT, body: { ...CHAT.body, stream: true } });
    expect(settled).toEqual([null]);
    broker.close();
  });

  test('a call that the budget refuses is not made, and the program learns no more than that', async () => {
    const { budget } = budgetOf(0);
    const { broker, calls } = brokerOf(baseUrl, { budget, limitsReplies: true });
    const reply = await send(broker, CHAT);
    expect(reply).toMatchObject({ status: 503, headers: { 'x-should-retry': 'false' } });
    expect(provider.received).toEqual([]);
    expect(calls).toMatchObject([{ end: { kind: 'error', error: expect.any(BudgetExhausted) } }]);
    broker.close();
  });

  test.each(WIRE_KEYS)(
    'the limit of a reply is set where the API %s reads it, and recordings are without it',
    (key) => {
      const { body, path } = EXCHANGES[key];
      const { max_tokens: _, ...open } = body as Payload;
      const prepare = (outputMax?: { main: { tokens: number; providerKey: string } }) => {
        const prepared = prepareCall({
          wire: key,
          kind: 'call',
          body: Buffer.from(JSON.stringify(open)),
          path: { model: 'main' },
          models: { main: 'real' },
          main: 'main',
          allowsServerFeatures: false,
          parts: 'neutral',
          ...(outputMax && { outputMax }),
        });
        if ('refused' in prepared) throw new Error(prepared.refused.message);
        return prepared;
      };
      expect(path).toBeDefined();
      const limited = prepare({ main: { tokens: 77, providerKey: 'openai' } });
      expect(limited.head.outputTokensMax).toBe(77);
      const sent = JSON.parse(limited.body) as Payload;
      expect(WIRES[key].head(sent, { model: 'main' }).outputTokensMax).toBe(77);
      expect(limited.parts).toEqual(prepare().parts);
      expect(JSON.parse(prepare().body)).not.toEqual(sent);
    },
  );
});
