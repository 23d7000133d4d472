import { NO_USAGE } from '@agentclash/domain';
import { type Model, type ModelReply, type ModelRequest } from '@agentclash/models';
import { createRedactor, Secret } from '@agentclash/redaction';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withRedactedDeltas } from './redacted-deltas.js';

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

/** A model that says these pieces at once, and what is heard of them. */
async function deltasOf(pieces: readonly Delta[]): Promise<Delta[]> {
  const heard: Delta[] = [];
  const model: Model = {
    providerKey: 'openai',
    name: 'm',
    maxOutputTokens: 1,
    priceOf: () => null,
    call: async ({ onDelta }) => {
      for (const piece of pieces) onDelta?.(piece);
      return REPLY;
    },
  };
  await withRedactedDeltas(model, () => redactor).call({
    messages: [],
    tools: [],
    signal: new AbortController().signal,
    onDelta: (delta) => heard.push(delta),
  });
  return heard;
}

describe('what a model says live', () => {
  test('is redacted as if it had come in one piece, however it was cut', async () => {
    const words = fc.array(fc.constantFrom('a ', KEY, 'sk-12', '34567890', '\n'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(words, fc.array(fc.nat(12)), async (said, cuts) => {
        const text = said.join('');
        const pieces: Delta[] = [];
        let at = 0;
        for (const length of [...cuts, text.length]) {
          pieces.push({ kind: 'text', text: text.slice(at, at + length) });
          at += length;
        }
        const heard = (await deltasOf(pieces)).map((delta) => delta.text).join('');
        expect(heard).toBe(redactor.text(text));
      }),
    );
  });

  test('comes gathered, and apart by kind, in order', async () => {
    const piece = (kind: Delta['kind'], text: string): Delta => ({ kind, text });
    const heard = await deltasOf([
      ...[piece('reasoning', 'a'), piece('reasoning', 'b')],
      ...[piece('text', 'c'), piece('text', 'd'), piece('tool_call', '{}')],
    ]);
    expect(heard).toEqual([piece('reasoning', 'ab'), piece('text', 'cd'), piece('tool_call', '{}')]);
  });

  test('is bounded, however much is said at once', async () => {
    const heard = await deltasOf(
      Array.from({ length: 500 }, () => ({ kind: 'text', text: 'x'.repeat(100) })),
    );
    expect(heard.map(({ text }) => text.length)).toEqual([4_096]);
  });
});
