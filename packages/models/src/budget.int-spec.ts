import { afterEach, describe, expect, test } from '@jest/globals';
import { BudgetExhausted, type BudgetReservation, type CallAmount, type CallBudget } from './rate/budget.js';
import { account, closeServers, failureOf, open, openSlots, provider, requestOf } from './testing/harness.js';

afterEach(closeServers);

const PRICE = {
  provider_key: 'openai',
  provider_model_id: 'test-model',
  input_cost_per_million_tokens: 1_000_000,
  output_cost_per_million_tokens: 2_000_000,
  reasoning_cost_per_million_tokens: 3_000_000,
};
const pricing = { models: [PRICE] };
const REPLY_TOKENS = 4_096;

/** A budget that grants so many tries and records what they reserve and use. */
function countingBudget(tries = Number.POSITIVE_INFINITY) {
  const reserved: CallAmount[] = [];
  const settled: (CallAmount | null)[] = [];
  const budget: CallBudget = {
    async reserve(bound): Promise<BudgetReservation> {
      if (reserved.length >= tries) throw new BudgetExhausted();
      reserved.push(bound);
      return { settle: async (used) => void settled.push(used) };
    },
  };
  return { budget, reserved, settled };
}

describe('a call under a budget', () => {
  test('a call reserves the most that it may use, and counts what the provider reports', async () => {
    const server = await provider({ text: 'ok', usage: { input: 20, output: 3 } });
    const { budget, reserved, settled } = countingBudget();
    const request = requestOf('grüße '.repeat(50));
    await open(account('openai', server.url), { budget, pricing }).call(request);
    const [bound] = reserved;
    const bytes = Buffer.byteLength(JSON.stringify([request.messages, request.tools]));
    expect(bound?.tokens).toBeGreaterThanOrEqual(bytes + REPLY_TOKENS);
    // The dearest kinds: reasoning costs more than other output.
    expect(bound?.costUsd).toBe((bound?.tokens ?? 0) - REPLY_TOKENS + REPLY_TOKENS * 3);
    expect(settled).toEqual([{ tokens: 23, costUsd: 26 }]);
  });

  test('a reply that no sampling limits is limited to what is reserved for it', async () => {
    const server = await provider([{ text: 'ok' }, { text: 'ok' }, { text: 'ok' }]);
    const { budget, reserved } = countingBudget();
    await open(account('openai', server.url), { budget }).call(requestOf());
    await open(account('openai', server.url), { budget, sampling: { max_output_tokens: 50 } }).call(
      requestOf(),
    );
    await open(account('openai', server.url)).call(requestOf());
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([REPLY_TOKENS, 50, undefined]);
    expect((reserved[0]?.tokens ?? 0) - (reserved[1]?.tokens ?? 0)).toBe(REPLY_TOKENS - 50);
  });

  test('every try is reserved, and only one that the provider refused is free', async () => {
    const server = await provider([
      { status: 429, error: { message: 'busy' } },
      { text: 'a long text', ending: 'cut' },
      { text: 'ok', usage: { input: 1, output: 1 } },
    ]);
    const { budget, reserved, settled } = countingBudget();
    await open(account('openai', server.url), { budget }).call(requestOf());
    expect(reserved).toHaveLength(3);
    expect(settled).toEqual([{ tokens: 0, costUsd: 0 }, null, { tokens: 2, costUsd: null }]);
  });

  test.each([
    ['a gateway that waited in vain', { status: 504 } as const],
    ['a stream without a usage', { text: 'ok', usage: null } as const],
  ])('a try whose use is unknown counts as all that was reserved: %s', async (_title, behaviour) => {
    const server = await provider(behaviour);
    const { budget, settled } = countingBudget();
    await open(account('openai_compatible', server.url), { budget })
      .call(requestOf())
      .catch(() => undefined);
    expect(new Set(settled)).toEqual(new Set([null]));
  });

  test('a try that is never sent is free', async () => {
    const { budget, settled } = countingBudget();
    await failureOf(open(account('openai', 'http://127.0.0.1:1'), { budget }).call(requestOf()));
    expect(settled.length).toBeGreaterThan(0);
    expect(new Set(settled.map((used) => used?.tokens))).toEqual(new Set([0]));
  });

  test('a call that the budget refuses is not made, and takes no slot', async () => {
    const server = await provider({ text: 'ok' });
    const slots = openSlots();
    const { budget } = countingBudget(0);
    await expect(
      open(account('openai', server.url), { budget, slots }).call(requestOf()),
    ).rejects.toBeInstanceOf(BudgetExhausted);
    expect([server.requests.length, slots.released.length]).toEqual([0, 0]);
  });

  test('a call that gets no slot gives back what it reserved', async () => {
    const { budget, settled } = countingBudget();
    const slots = { acquire: () => Promise.reject(new Error('no slots')) };
    const server = await provider({ text: 'ok' });
    await expect(open(account('openai', server.url), { budget, slots }).call(requestOf())).rejects.toThrow(
      'no slots',
    );
    expect(settled).toEqual([{ tokens: 0, costUsd: 0 }]);
  });

  test('a call that is cancelled while it is under way counts as all that was reserved', async () => {
    const server = await provider({ text: 'never', ending: 'stall' });
    const { budget, settled } = countingBudget();
    const cancel = new AbortController();
    const call = open(account('openai', server.url), { budget }).call(
      requestOf('go', { signal: cancel.signal, onDelta: () => cancel.abort() }),
    );
    await expect(call).rejects.toThrow();
    expect(settled).toEqual([null]);
  });
});
