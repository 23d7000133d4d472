import { WIRE_KEYS } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WIRES } from '../routes.js';
import { CHAT_REPLY, EXCHANGES } from '../testing/exchanges.js';
import { sse } from '../testing/harness.js';
import { EventReader, readModelReply } from './read-reply.js';

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const wholeOf = (value: unknown) => readModelReply({ wire: 'chat', isStream: false, reply: bytes(value) });

function replyWith(args: string) {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: args } };
  const [choice] = CHAT_REPLY.choices;
  return { ...CHAT_REPLY, choices: [{ ...choice, message: { role: 'assistant', tool_calls: [call] } }] };
}

describe('a reply of a provider', () => {
  test.each(WIRE_KEYS)('a stream is read the same in one piece and in any pieces: %s', (wire) => {
    const stream = bytes(sse(EXCHANGES[wire].events));
    const expected = readModelReply({ wire, isStream: true, reply: stream });
    expect(expected).toMatchObject({ text: 'dönë', isComplete: true, usage: { input: 7, output: 3 } });
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const events = new EventReader(WIRES[wire].reader());
        const at = [0, ...cuts.sort((a, b) => a - b), stream.length];
        for (const [index, end] of at.entries()) events.take(stream.subarray(at[index - 1] ?? 0, end));
        expect(events.reply()).toEqual(expected);
      }),
    );
  });

  test('a reply that is no JSON, or nests too deep, is incomplete', () => {
    const deep = `{"choices":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
    expect(
      [wholeOf('{"choices"'), wholeOf(deep), wholeOf(CHAT_REPLY)].map((reply) => reply.isComplete),
    ).toEqual([false, false, true]);
  });

  test('arguments that nest too deep, or have too many values, stay text', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const many = JSON.stringify(Array.from({ length: 30_000 }, () => []));
    const few = JSON.stringify({ path: 'a', content: 'x'.repeat(100_000) });
    const argumentsOf = (text: string) => wholeOf(replyWith(text)).toolCalls[0]?.arguments;
    expect(argumentsOf(deep)).toBe(deep);
    expect(argumentsOf(many)).toBe(many);
    expect(argumentsOf(few)).toEqual(JSON.parse(few));
  });
});
