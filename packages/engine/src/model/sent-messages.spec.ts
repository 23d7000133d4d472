import type { RecordedMessage } from '@agentclash/domain';
import type { Message } from '@agentclash/models';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NOT_STARTED, SentMessages } from './sent-messages.js';

const call = { id: 't1', name: 'exec', arguments: { command: ['ls'] } };
const opening: Message[] = [
  { role: 'system', text: 'Be brief.' },
  { role: 'user', text: 'Add 2 and 3.' },
];

describe('the record of prompts', () => {
  test('the record of a prompt is whole in the first call, and holds only new messages in each later one', () => {
    const sent = new SentMessages();
    expect(sent.record(opening, 'm1')).toEqual({ from: 0, messages: opening });
    const later: Message[] = [
      ...opening,
      { role: 'assistant', text: 'I look.', toolCalls: [call], continuation: { signed: 'opaque' } },
      { role: 'tool', toolCallId: 't1', toolName: 'exec', result: { stdout: 'a' } },
      { role: 'tool', toolCallId: 't2', toolName: 'exec', result: NOT_STARTED },
      { role: 'user', text: 'Continue.' },
    ];
    expect(sent.record(later, 'm2')).toEqual({
      from: 2,
      messages: [
        { role: 'assistant', call_id: 'm1' },
        { role: 'tool', tool_call_id: 't1', tool_name: 'exec' },
        { role: 'tool', tool_call_id: 't2', tool_name: 'exec', result: NOT_STARTED },
        { role: 'user', text: 'Continue.' },
      ],
    });
  });

  test('a record continues after a wait for a person; without its state it starts again, with whole replies', () => {
    const before = new SentMessages();
    before.record(opening, 'm1');
    const reply: Message = { role: 'assistant', text: 'Which day?', toolCalls: [call] };
    const messages = [...opening, reply, { role: 'user', text: 'Friday.' } as const];
    const state = JSON.parse(JSON.stringify(before.state));
    expect(new SentMessages(state).record(messages, 'm2').messages).toEqual([
      { role: 'assistant', call_id: 'm1' },
      { role: 'user', text: 'Friday.' },
    ]);
    expect(new SentMessages().record(messages, 'm2')).toMatchObject({
      from: 0,
      messages: [{}, {}, { role: 'assistant', text: 'Which day?', tool_calls: [call] }, {}],
    });
  });

  test('the record of prompts grows in proportion to the conversation', () => {
    const turn = fc.record({ text: fc.string(), result: fc.string(), user: fc.option(fc.string()) });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 40 }), (turns) => {
        const sent = new SentMessages();
        const messages: Message[] = [...opening];
        const recorded: RecordedMessage[] = [];
        for (const [index, { text, result, user }] of [
          ...turns,
          { text: '', result: '', user: null },
        ].entries()) {
          const taken = sent.record(messages, `m${index}`);
          expect(taken.from).toBe(recorded.length);
          recorded.push(...taken.messages);
          messages.push({ role: 'assistant', text, toolCalls: [{ ...call, id: `t${index}` }] });
          messages.push({ role: 'tool', toolCallId: `t${index}`, toolName: 'exec', result });
          if (user !== null) messages.push({ role: 'user', text: user });
        }
        // Each message once, and every reply under its call.
        expect(recorded).toHaveLength(sent.state?.count ?? 0);
        const replies = recorded.filter(({ role }) => role === 'assistant');
        expect(replies).toEqual(turns.map((_turn, index) => ({ role: 'assistant', call_id: `m${index}` })));
        expect(JSON.stringify(recorded).length).toBeLessThan(JSON.stringify(messages).length + 100);
      }),
    );
  });
});
