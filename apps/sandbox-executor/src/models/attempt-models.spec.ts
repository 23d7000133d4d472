import { NO_USAGE } from '@agentclash/domain';
import { BudgetExhausted, type Model, type ModelReply, type ModelRequest } from '@agentclash/models';
import { createRedactor, Secret } from '@agentclash/redaction';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callBudget, withRedactedDeltas } from './attempt-models.js';

type Delta = Parameters<NonNullable<ModelRequest['onDelta']>>[0];

const KEY = 'sk-1234567890';
const redactor = createRedactor([new Secret('KEY', KEY)]);
const REPLY: ModelReply = {
  text: '',
  toolCalls: [],
  finishReason: 'stop',
  usage: NO_USAGE,
  costUsd: null,
  responseModel: null,
  responseId: null,
  tries: 1,
  timing: { queued_ms: 0, ttft_ms: null, total_ms: 0 },
};

/** The deltas that are published of a model that emits these pieces at once. */
async function deltasOf(pieces: readonly Delta[]): Promise<Delta[]> {
  const published: Delta[] = [];
  const model: Model = {
    providerKey: 'openai',
    name: 'm',
    maxOutputTokens: 1,
    priceOf: () => null,
    maxPriceOf: () => null,
    call: async ({ onDelta }) => {
      for (const piece of pieces) onDelta?.(piece);
      return REPLY;
    },
  };
  await withRedactedDeltas(model, () => redactor).call({
    messages: [],
    tools: [],
    signal: new AbortController().signal,
    onDelta: (delta) => published.push(delta),
  });
  return published;
}

describe('the live deltas of a model', () => {
  test('live deltas are redacted as if the text had come in one piece, however it was cut', async () => {
    const words = fc.array(fc.constantFrom('a ', KEY, 'sk-12', '34567890', '\n'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(words, fc.array(fc.nat(12)), async (drawn, cuts) => {
        const text = drawn.join('');
        const pieces: Delta[] = [];
        let at = 0;
        for (const length of [...cuts, text.length]) {
          pieces.push({ kind: 'text', text: text.slice(at, at + length) });
          at += length;
        }
        const published = (await deltasOf(pieces)).map((delta) => delta.text).join('');
        expect(published).toBe(redactor.text(text));
      }),
    );
  });

  test('live deltas are gathered by kind, in order', async () => {
    const piece = (kind: Delta['kind'], text: string): Delta => ({ kind, text });
    const published = await deltasOf([
      ...[piece('reasoning', 'a'), piece('reasoning', 'b')],
      ...[piece('text', 'c'), piece('text', 'd'), piece('tool_call', '{}')],
    ]);
    expect(published).toEqual([piece('reasoning', 'ab'), piece('text', 'cd'), piece('tool_call', '{}')]);
  });

  test('a live delta is bounded, however much the model emits at once', async () => {
    const published = await deltasOf(
      Array.from({ length: 500 }, () => ({ kind: 'text', text: 'x'.repeat(100) })),
    );
    expect(published.map(({ text }) => text.length)).toEqual([4_096]);
  });
});

describe('the budget of a run for models', () => {
  const signal = new AbortController().signal;
  const budgetOf = (isGranted: boolean) => {
    const seen: unknown[] = [];
    const budget = callBudget({
      reserve: async (bound) => {
        seen.push(bound);
        return isGranted ? { settle: async (used) => void seen.push(used) } : undefined;
      },
    });
    return { budget, seen };
  };

  test('a try whose use is unknown counts as all that was reserved for it', async () => {
    const { budget, seen } = budgetOf(true);
    const reservation = await budget.reserve({ tokens: 9, costUsd: 0.5 }, signal);
    await reservation.settle(null);
    expect(seen).toEqual([
      { tokens: 9, usd: 0.5 },
      { tokens: 9, usd: 0.5 },
    ]);
  });

  test('a try counts what it used, a model without a price in tokens alone', async () => {
    const { budget, seen } = budgetOf(true);
    const reservation = await budget.reserve({ tokens: 9, costUsd: null }, signal);
    await reservation.settle({ tokens: 4, costUsd: null });
    expect(seen).toEqual([
      { tokens: 9, usd: 0 },
      { tokens: 4, usd: 0 },
    ]);
  });

  test('a try that the run has no budget for is refused', async () => {
    const { budget } = budgetOf(false);
    await expect(budget.reserve({ tokens: 9, costUsd: 0 }, signal)).rejects.toBeInstanceOf(BudgetExhausted);
  });
});
