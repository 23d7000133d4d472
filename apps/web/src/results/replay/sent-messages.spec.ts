import { expect, test } from '@jest/globals';
import { sentMessages } from './sent-messages.js';

test('what a model was sent reads as a conversation; what stands in steps above is named', () => {
  const messages = [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Add 2 and 3.' },
    { role: 'assistant', call_id: 'm1' },
    { role: 'tool', tool_call_id: 't1', tool_name: 'read_file' },
    { role: 'user', text: 'Continue.' },
  ];
  expect(sentMessages({ call_id: 'm2', sent: { from: 0, messages } })).toEqual([
    { role: 'system', text: 'Be brief.', isAbove: false },
    { role: 'user', text: 'Add 2 and 3.', isAbove: false },
    { role: 'assistant', text: 'reply to the previous call', isAbove: true },
    { role: 'tool', text: 'result of read_file', isAbove: true },
    { role: 'user', text: 'Continue.', isAbove: false },
  ]);
});

test.each([null, {}, { sent: { $ref: 'sha256:0', bytes: 9 } }, { sent: { messages: 'x' } }])(
  'nothing is shown where nothing is recorded: %j',
  (input) => {
    expect(sentMessages(input)).toEqual([]);
  },
);
