import { describe, expect, test } from '@jest/globals';
import type { Json } from './behaviour.js';
import { echoModel } from './demo-script.js';

const replyTo = (body: { [key: string]: Json }) =>
  echoModel({ wire: 'openai', path: '/v1/chat/completions', headers: {}, body });

describe('the echo model', () => {
  test('the echo model replies with the text of the last user message, in both formats', () => {
    const messages = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'well' },
      { role: 'user', content: [{ type: 'text', text: 'last' }] },
    ];
    expect(replyTo({ messages })).toEqual({ text: 'last' });
  });

  test.each([
    ['OpenAI', { type: 'function', function: { name: 'submit' } }],
    ['Anthropic', { name: 'submit', input_schema: {} }],
  ])('the echo model submits when the tools of %s have a submit', (_wire, tool) => {
    expect(replyTo({ messages: [{ role: 'user', content: 'x' }], tools: [tool] })).toEqual({
      toolCalls: [{ name: 'submit', arguments: { answer: 'x' } }],
    });
  });
});
