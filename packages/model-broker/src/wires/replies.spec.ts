import { type Payload, WIRE_KEYS, type WireKey } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WIRES } from '../routes.js';
import type { WireReply } from './wire.js';

function streamed(wire: WireKey, events: readonly Payload[]): WireReply {
  const reader = WIRES[wire].reader();
  for (const event of events) reader.take(event);
  return reader.reply();
}

/** The same reply of two calls in each wire, as a stream and whole. */
const REPLIES: Record<WireKey, { events: Payload[]; whole: Payload }> = {
  anthropic: {
    events: [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          model: 'claude',
          content: [],
          usage: {
            input_tokens: 1_000,
            cache_read_input_tokens: 150,
            cache_creation_input_tokens: 50,
            output_tokens: 1,
          },
        },
      },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'I loo' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'k.' } },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 't1', name: 'exec', input: {} },
      },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"comma' } },
      {
        type: 'content_block_delta',
        index: 2,
        delta: { type: 'input_json_delta', partial_json: 'nd":"ls"}' },
      },
      {
        type: 'content_block_start',
        index: 3,
        content_block: { type: 'tool_use', id: 't2', name: 'list', input: {} },
      },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 34 } },
      { type: 'message_stop' },
    ],
    whole: {
      id: 'msg_1',
      model: 'claude',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 't1', name: 'exec', input: { command: 'ls' } },
        { type: 'tool_use', id: 't2', name: 'list', input: {} },
      ],
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 1_000,
        cache_read_input_tokens: 150,
        cache_creation_input_tokens: 50,
        output_tokens: 34,
      },
    },
  },
  chat: {
    events: [
      { id: 'msg_1', model: 'claude', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
      { id: 'msg_1', choices: [{ index: 0, delta: { content: 'I loo' } }] },
      { id: 'msg_1', choices: [{ index: 1, delta: { content: 'another choice' } }] },
      { id: 'msg_1', choices: [{ index: 0, delta: { content: 'k.' } }] },
      chunkOfCall({ index: 0, id: 't1', function: { name: 'exec', arguments: '{"comma' } }),
      chunkOfCall({ index: 0, function: { arguments: 'nd":"ls"}' } }),
      chunkOfCall({ index: 1, id: 't2', function: { name: 'list', arguments: '' } }),
      { id: 'msg_1', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      {
        id: 'msg_1',
        choices: [],
        usage: {
          prompt_tokens: 1_200,
          completion_tokens: 34,
          prompt_tokens_details: { cached_tokens: 150, cache_write_tokens: 50 },
        },
      },
    ],
    whole: {
      id: 'msg_1',
      model: 'claude',
      choices: [
        {
          message: {
            content: 'I look.',
            tool_calls: [
              { id: 't1', function: { name: 'exec', arguments: '{"command":"ls"}' } },
              { id: 't2', function: { name: 'list', arguments: '{}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: 1_200,
        completion_tokens: 34,
        prompt_tokens_details: { cached_tokens: 150, cache_write_tokens: 50 },
      },
    },
  },
  responses: {
    events: [
      { type: 'response.created', response: { id: 'msg_1', model: 'claude' } },
      { type: 'response.output_text.delta', delta: 'I loo' },
      { type: 'response.output_text.delta', delta: 'k.' },
      {
        type: 'response.output_item.done',
        item: { type: 'function_call', call_id: 't1', name: 'exec', arguments: '{"command":"ls"}' },
      },
      {
        type: 'response.output_item.done',
        item: { type: 'function_call', call_id: 't2', name: 'list', arguments: '' },
      },
      { type: 'response.completed', response: wholeResponse() },
    ],
    whole: wholeResponse(),
  },
  google: {
    events: [
      {
        responseId: 'msg_1',
        modelVersion: 'claude',
        candidates: [{ content: { parts: [{ text: 'hm', thought: true }, { text: 'I loo' }] } }],
      },
      {
        candidates: [
          {
            content: {
              parts: [{ text: 'k.' }, { functionCall: { id: 't1', name: 'exec', args: { command: 'ls' } } }],
            },
          },
        ],
      },
      {
        candidates: [
          { content: { parts: [{ functionCall: { id: 't2', name: 'list' } }] }, finishReason: 'STOP' },
        ],
        usageMetadata: {
          promptTokenCount: 1_200,
          candidatesTokenCount: 30,
          thoughtsTokenCount: 4,
          cachedContentTokenCount: 150,
        },
      },
    ],
    whole: {
      responseId: 'msg_1',
      modelVersion: 'claude',
      candidates: [
        {
          content: {
            parts: [
              { text: 'I look.' },
              { functionCall: { id: 't1', name: 'exec', args: { command: 'ls' } } },
              { functionCall: { id: 't2', name: 'list', args: {} } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: 1_200,
        candidatesTokenCount: 30,
        thoughtsTokenCount: 4,
        cachedContentTokenCount: 150,
      },
    },
  },
};

function chunkOfCall(call: Payload): Payload {
  return { id: 'msg_1', choices: [{ index: 0, delta: { tool_calls: [call] } }] };
}

function wholeResponse(): Payload {
  return {
    id: 'msg_1',
    model: 'claude',
    status: 'completed',
    output: [
      { type: 'reasoning', summary: [] },
      { type: 'message', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', call_id: 't1', name: 'exec', arguments: '{"command":"ls"}' },
      { type: 'function_call', call_id: 't2', name: 'list', arguments: '{}' },
    ],
    usage: {
      input_tokens: 1_200,
      output_tokens: 34,
      input_tokens_details: { cached_tokens: 150, cache_write_tokens: 50 },
    },
  };
}

describe('the reply of a model', () => {
  test.each(WIRE_KEYS)(
    'the reply of a model is the same whether %s sends it as a stream or whole',
    (wire) => {
      const { events, whole } = REPLIES[wire];
      const expected = {
        text: 'I look.',
        toolCalls: [
          { id: 't1', name: 'exec', arguments: { command: 'ls' } },
          { id: 't2', name: 'list', arguments: {} },
        ],
        finishReason: 'tool_calls',
        responseId: 'msg_1',
        responseModel: 'claude',
        isComplete: true,
        error: null,
      };
      const reply = streamed(wire, events);
      expect(reply).toMatchObject(expected);
      expect(WIRES[wire].whole(whole)).toMatchObject(expected);
      // Cached input is part of the input, and reasoning of the output.
      expect(reply.usage).toMatchObject({ input: 1_200, output: 34, cached_input: 150 });
      expect(WIRES[wire].whole(whole).usage).toEqual(reply.usage);
    },
  );

  test.each(WIRE_KEYS)(
    'a cut stream of %s is an incomplete reply with its content before the cut',
    (wire) => {
      const { events } = REPLIES[wire];
      for (let length = 0; length < events.length - 2; length++) {
        expect(streamed(wire, events.slice(0, length)).isComplete).toBe(false);
      }
    },
  );

  test.each<[WireKey, Payload, string]>([
    [
      'anthropic',
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'overloaded_error',
    ],
    ['chat', { error: { code: 'server_error', message: 'Overloaded' } }, 'server_error'],
    ['responses', { type: 'error', code: 'server_error', message: 'Overloaded' }, 'server_error'],
    [
      'responses',
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'server_error', message: 'Overloaded' } },
      },
      'server_error',
    ],
    ['google', { error: { status: 'UNAVAILABLE', message: 'Overloaded' } }, 'UNAVAILABLE'],
  ])('a reply of %s holds an error inside of its stream', (wire, event, type) => {
    expect(streamed(wire, [event]).error).toEqual({ type, message: 'Overloaded' });
  });

  test.each<[WireKey, Payload, string]>([
    ['anthropic', { stop_reason: 'max_tokens', content: [] }, 'length'],
    ['anthropic', { stop_reason: 'refusal', content: [] }, 'content_filter'],
    ['chat', { choices: [{ message: {}, finish_reason: 'length' }] }, 'length'],
    ['responses', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    ['google', { candidates: [{ finishReason: 'MAX_TOKENS' }] }, 'length'],
    ['google', { promptFeedback: { blockReason: 'SAFETY' } }, 'content_filter'],
  ])('a reply of %s ends with a reason in common terms', (wire, whole, reason) => {
    expect(WIRES[wire].whole(whole).finishReason).toBe(reason);
  });

  test('arguments that are not JSON stay text', () => {
    const call = { id: 't', function: { name: 'exec', arguments: '{"command":' } };
    expect(WIRES.chat.whole({ choices: [{ message: { tool_calls: [call] } }] }).toolCalls).toEqual([
      { id: 't', name: 'exec', arguments: '{"command":' },
    ]);
  });

  test('reading a reply is total for every event', () => {
    const key = fc.constantFrom(
      'type',
      'choices',
      'delta',
      'candidates',
      'content',
      'parts',
      'response',
      'item',
      'usage',
      'index',
      'tool_calls',
      'message',
      'output',
      'error',
    );
    const event = fc.dictionary(key, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...WIRE_KEYS), fc.array(event, { maxLength: 5 }), (wire, events) => {
        const reply = streamed(wire, events);
        expect(typeof reply.text).toBe('string');
        expect(Object.values(reply.usage).every((count) => count === null || count >= 0)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
