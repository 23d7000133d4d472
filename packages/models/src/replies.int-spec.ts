import type { AgentTool } from '@agentclash/domain';
import type { ScriptedCall } from '@agentclash/scripted-model';
import { afterEach, describe, expect, test } from '@jest/globals';
import { account, closeServers, open, provider, requestOf, WIRES } from './testing/harness.js';

afterEach(closeServers);

const LOOK: AgentTool = {
  name: 'look',
  description: 'Looks at a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

describe.each(WIRES)('a reply of %s', (key) => {
  test('a reply has text, identity, finish and usage as the provider reported them', async () => {
    const server = await provider({
      text: 'The result is 42, and nothing else.',
      model: 'test-model-2026-01-01',
      id: 'reply-7',
      usage: { input: 120, output: 30, cachedInput: 100, reasoning: 12 },
    });
    const reply = await open(account(key, server.url)).call(requestOf());
    expect(reply).toMatchObject({
      text: 'The result is 42, and nothing else.',
      toolCalls: [],
      finishReason: 'stop',
      responseModel: 'test-model-2026-01-01',
      responseId: 'reply-7',
      tries: 1,
      usage: {
        input: 120,
        output: 30,
        total: key === 'anthropic' ? null : 150,
        cached_input: 100,
        cache_write: null,
        reasoning: 12,
      },
    });
  });

  test('a reply reports null, not 0, for figures that the provider did not report', async () => {
    const server = await provider({ text: 'ok', usage: { input: 9, output: 1 } });
    const { usage } = await open(account(key, server.url)).call(requestOf());
    expect(usage).toMatchObject({
      input: 9,
      output: 1,
      cached_input: null,
      cache_write: null,
      reasoning: null,
    });
  });

  test('a reply is passed on in fragments while it is streamed', async () => {
    const server = await provider({ reasoning: 'hm', text: 'one two three', fragment: 4, ending: 'stall' });
    const cancel = new AbortController();
    const received: string[] = [];
    const call = open(account(key, server.url)).call(
      requestOf('go', {
        signal: cancel.signal,
        onDelta: ({ kind, text }) => {
          received.push(`${kind}:${text}`);
          if (text === 'e') cancel.abort(new Error('enough'));
        },
      }),
    );
    await expect(call).rejects.toThrow('enough');
    const reasoning = key === 'openai' ? [] : ['reasoning:hm'];
    expect(received).toEqual([...reasoning, 'text:one ', 'text:two ', 'text:thre', 'text:e']);
  });

  test('a reply keeps tool calls in their order, and invalid JSON as text', async () => {
    const toolCalls: ScriptedCall[] = [
      { id: 'a', name: 'look', arguments: { path: '/x' } },
      { id: 'b', name: 'look', arguments: '{"path": /y' },
      { id: 'c', name: 'unknown_tool', arguments: {} },
    ];
    const server = await provider({ toolCalls });
    const reply = await open(account(key, server.url)).call(requestOf('go', { tools: [LOOK] }));
    expect(reply.finishReason).toBe('tool_calls');
    expect(reply.toolCalls).toEqual(toolCalls);
  });

  test('a reply may hold 500 parallel calls', async () => {
    const toolCalls = Array.from({ length: 500 }, (_, at) => ({
      id: `c${at}`,
      name: 'look',
      arguments: { path: `/${at}` },
    }));
    const server = await provider({ toolCalls });
    const reply = await open(account(key, server.url)).call(requestOf('go', { tools: [LOOK] }));
    expect(reply.toolCalls).toEqual(toolCalls);
  });

  test('a reply may be 5 MB long', async () => {
    const text = 'x'.repeat(5 * 1024 * 1024);
    const server = await provider({ text, fragment: 64 * 1024 });
    const reply = await open(account(key, server.url)).call(requestOf());
    expect(reply.text.length).toBe(text.length);
  });

  test('a reply without an end is cut off as too long', async () => {
    const server = await provider({ text: 'prose '.repeat(20_000), fragment: 120_000, isEndless: true });
    const reply = await open(account(key, server.url)).call(requestOf());
    expect(reply.finishReason).toBe('length');
    expect(reply.text.length).toBeLessThan(17 * 1024 * 1024);
    expect(reply.usage.output).toBeNull();
  });

  test('a reply that was filtered in part is a reply, and one that was filtered entirely is a failure', async () => {
    const server = await provider([
      { text: 'a part of the text', finish: 'content_filter' },
      { finish: 'content_filter' },
    ]);
    const model = open(account(key, server.url));
    expect(await model.call(requestOf())).toMatchObject({ finishReason: 'content_filter' });
    await expect(model.call(requestOf())).rejects.toMatchObject({ failure: 'content_filter' });
  });

  test('a reply is timed from its request to its first fragment, without the wait for a slot', async () => {
    let now = 0;
    const server = await provider(() => {
      now += 70;
      return { text: 'ok' };
    });
    const model = open(account(key, server.url), {
      clock: { now: () => 0, monotonic: () => now, sleep: async () => {} },
      slots: {
        acquire: async () => {
          now += 500;
          return {
            release: () => {
              now += 5;
            },
          };
        },
      },
    });
    const { timing } = await model.call(requestOf());
    expect(timing).toEqual({ queued_ms: 500, ttft_ms: 70, total_ms: 575 });
  });
});

test.each(['openrouter', 'xai', 'mistral', 'custom'])(
  'the provider %s replies through its own SDK',
  async (key) => {
    const server = await provider({ text: 'ok', id: 'reply-1', model: 'm-1' });
    const reply = await open(account(key, server.url)).call(requestOf());
    expect(reply).toMatchObject({
      text: 'ok',
      responseId: 'reply-1',
      responseModel: 'm-1',
      finishReason: 'stop',
    });
  },
);

describe('cost', () => {
  const row = {
    provider_key: 'openai',
    provider_model_id: 'test-model',
    input_cost_per_million_tokens: 1,
    output_cost_per_million_tokens: 2,
  };

  test('the cost of a call comes from the pack, then from the account, else is unknown', async () => {
    const server = await provider({ text: 'ok', usage: { input: 1_000_000, output: 500_000 } });
    const priced = account('openai', server.url, {
      pricing: { models: [{ ...row, input_cost_per_million_tokens: 10 }] },
    });
    const unpriced = account('openai', server.url);
    expect((await open(priced, { pricing: { models: [row] } }).call(requestOf())).costUsd).toBe(2);
    expect((await open(priced).call(requestOf())).costUsd).toBe(11);
    expect((await open(unpriced).call(requestOf())).costUsd).toBeNull();
    expect(open(unpriced).priceOf({ input: 1, output: 1 })).toBeNull();
  });

  test('a call is reserved at the dearest rates, as its cached and reasoning tokens are not known before', () => {
    const dear = {
      ...row,
      cache_write_cost_per_million_tokens: 5,
      reasoning_cost_per_million_tokens: 7,
    };
    const model = open(account('openai', 'http://127.0.0.1:1', { pricing: { models: [dear] } }));
    expect(model.maxPriceOf({ input: 1_000_000, output: 1_000_000 })).toBe(12);
    expect(model.priceOf({ input: 1_000_000, output: 1_000_000 })).toBe(3);
    expect(open(account('openai', 'http://127.0.0.1:1')).maxPriceOf({ input: 1, output: 1 })).toBeNull();
  });

  test('the cost of a call is unknown when no tokens were reported', async () => {
    const server = await provider({ text: 'ok', usage: null });
    const { costUsd } = await open(account('openai', server.url), { pricing: { models: [row] } }).call(
      requestOf(),
    );
    expect(costUsd).toBeNull();
  });
});
