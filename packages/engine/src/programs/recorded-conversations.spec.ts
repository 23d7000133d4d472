import type { WireMessage } from '@agentclash/model-broker';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RecordedConversations } from './recorded-conversations.js';

describe('The recorded messages of a program', () => {
  const user = (text: string): WireMessage => ({ role: 'user', text });
  const withDigests = (messages: WireMessage[]) => ({
    messages,
    digests: messages.map((each) => JSON.stringify(each)),
  });

  test('The recorded messages of a call are only the new ones of the conversation that it continues', () => {
    const recorded = new RecordedConversations();
    const main = [user('a'), user('b')];
    expect(recorded.record(withDigests(main), '1')).toMatchObject({ from: 0, messages: main });
    expect(recorded.record(withDigests([user('title?')]), '2')).toMatchObject({
      from: 0,
      messages: [user('title?')],
    });
    const next = recorded.record(withDigests([...main, user('c')]), '3');
    expect(next).toEqual({ call_id: '3', continues: '1', from: 2, messages: [user('c')] });
  });

  test('The recorded messages restore every request, whatever conversations a program has', () => {
    const messages = fc.array(fc.constantFrom('a', 'b', 'c').map(user), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(messages, { maxLength: 90 }), (requests) => {
        const recorded = new RecordedConversations();
        const whole = new Map<string, unknown[]>();
        for (const [index, request] of requests.entries()) {
          const {
            call_id,
            continues,
            from,
            messages: added,
          } = recorded.record(withDigests(request), String(index));
          const before = continues === undefined ? [] : (whole.get(continues) ?? []);
          whole.set(call_id, [...before.slice(0, from), ...added]);
        }
        expect([...whole.values()]).toEqual(requests);
      }),
    );
  });
});
