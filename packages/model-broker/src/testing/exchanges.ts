import type { Payload, WireKey } from '@agentclash/domain';
import { KEY } from './harness.js';

export const TASK = 'fix the tests';

/** A request of each protocol, with a field that the broker does not know, and a short reply. */
export const EXCHANGES: Record<
  WireKey,
  { path: string; sentTo: string; body: Payload; events: Payload[]; keyHeader: [string, string] }
> = {
  anthropic: {
    path: '/v1/messages',
    sentTo: '/messages',
    body: { model: 'claude-x', stream: true, max_tokens: 50, messages: [{ role: 'user', content: TASK }] },
    events: [
      { type: 'message_start', message: { id: 'r1', model: 'm', usage: { input_tokens: 7 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'dönë' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ],
    keyHeader: ['x-api-key', KEY],
  },
  chat: {
    path: '/v1/chat/completions',
    sentTo: '/chat/completions',
    body: { model: 'gpt-x', stream: true, messages: [{ role: 'user', content: TASK }] },
    events: [
      { id: 'r1', model: 'm', choices: [{ index: 0, delta: { content: 'dönë' } }] },
      { id: 'r1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { id: 'r1', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
    ],
    keyHeader: ['authorization', `Bearer ${KEY}`],
  },
  responses: {
    path: '/v1/responses',
    sentTo: '/responses',
    body: { model: 'gpt-x', stream: true, input: TASK },
    events: [
      { type: 'response.created', response: { id: 'r1', model: 'm' } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'dönë' },
      {
        type: 'response.completed',
        response: {
          id: 'r1',
          model: 'm',
          status: 'completed',
          output: [{ type: 'message', content: [{ type: 'output_text', text: 'dönë' }] }],
          usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
        },
      },
    ],
    keyHeader: ['authorization', `Bearer ${KEY}`],
  },
  google: {
    path: '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
    sentTo: '/models/real-main:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: TASK }] }] },
    events: [
      { responseId: 'r1', modelVersion: 'm', candidates: [{ content: { parts: [{ text: 'dönë' }] } }] },
      {
        candidates: [{ content: { parts: [] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
      },
    ],
    keyHeader: ['x-goog-api-key', KEY],
  },
};

const { chat } = EXCHANGES;
export const CHAT_REPLY = {
  id: 'r1',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'done' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
};
export const CHAT = { path: chat.path, body: { ...chat.body, stream: false } };
