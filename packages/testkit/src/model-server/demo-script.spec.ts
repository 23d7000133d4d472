import { describe, expect, test } from '@jest/globals';
import type { Json } from './behaviour.js';
import { echoModel } from './demo-script.js';

const asked = (body: { [key: string]: Json }) =>
  echoModel({ wire: 'openai', path: '/v1/chat/completions', headers: {}, body });

describe('the echo model', () => {
  test('says the last thing a user told it, in both formats', () => {
    const messages = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'well' },
      { role: 'user', content: [{ type: 'text', text: 'last' }] },
    ];
    expect(asked({ messages })).toEqual({ text: 'last' });
  });

  test.each([
    ['OpenAI', { type: 'function', function: { name: 'submit' } }],
    ['Anthropic', { name: 'submit', input_schema: {} }],
  ])('submits where it can, as %s lists tools', (_wire, tool) => {
    expect(asked({ messages: [{ role: 'user', content: 'x' }], tools: [tool] })).toEqual({
      toolCalls: [{ name: 'submit', arguments: { answer: 'x' } }],
    });
  });
});
