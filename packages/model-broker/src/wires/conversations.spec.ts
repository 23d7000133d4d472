import { type Payload, WIRE_KEYS, type WireKey } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { WIRES } from '../routes.js';
import type { WireMessage } from './wire.js';

describe('the conversation of a request', () => {
  const messages: WireMessage[] = [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Fix it.' },
    {
      role: 'assistant',
      text: 'I look.',
      tool_calls: [{ id: 't1', name: 'exec', arguments: { command: 'ls' } }],
    },
    { role: 'tool', tool_call_id: 't1', result: 'a.py' },
    { role: 'user', text: 'Continue.' },
  ];
  const BODIES: Record<WireKey, Payload> = {
    anthropic: {
      system: [{ type: 'text', text: 'Be brief.' }],
      tools: [{ name: 'exec' }],
      messages: [
        { role: 'user', content: 'Fix it.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 't1', name: 'exec', input: { command: 'ls' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a.py' }] },
            { type: 'text', text: 'Continue.' },
          ],
        },
      ],
    },
    chat: {
      tools: [{ type: 'function', function: { name: 'exec' } }],
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Fix it.' }] },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 't1', function: { name: 'exec', arguments: '{"command":"ls"}' } }],
        },
        { role: 'tool', tool_call_id: 't1', content: 'a.py' },
        { role: 'user', content: 'Continue.' },
      ],
    },
    responses: {
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'exec' }],
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Fix it.' }] },
        { type: 'reasoning', summary: [] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 't1', name: 'exec', arguments: '{"command":"ls"}' },
        { type: 'function_call_output', call_id: 't1', output: 'a.py' },
        { role: 'user', content: 'Continue.' },
      ],
    },
    google: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'exec' }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Fix it.' }] },
        {
          role: 'model',
          parts: [{ text: 'I look.' }, { functionCall: { id: 't1', name: 'exec', args: { command: 'ls' } } }],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 't1', name: 'exec', response: { output: 'a.py' } } },
            { text: 'Continue.' },
          ],
        },
      ],
    },
  };

  test.each(WIRE_KEYS)(
    'the conversation in a request of %s is read into the messages of an attempt history',
    (wire) => {
      const { messages: read, tools } = WIRES[wire].conversation(BODIES[wire]);
      expect(tools).toEqual(['exec']);
      // Responses keeps text and calls of a reply in items of their own; Gemini's results are objects.
      const expected: WireMessage[] =
        wire === 'responses'
          ? messages.flatMap((message): WireMessage[] =>
              message.role === 'assistant'
                ? [
                    { ...message, tool_calls: [] },
                    { ...message, text: '' },
                  ]
                : [message],
            )
          : messages.map(
              (message): WireMessage =>
                wire === 'google' && message.role === 'tool'
                  ? { ...message, result: '{"output":"a.py"}' }
                  : message,
            );
      expect(read).toEqual(expected);
    },
  );
});
