import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseEvents } from './event-stream.js';

async function parse(chunks: Uint8Array[]): Promise<(string | undefined)[]> {
  async function* source() {
    yield* chunks;
  }
  const events: (string | undefined)[] = [];
  for await (const event of parseEvents(source())) events.push(event);
  return events;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a stream of server-sent events', () => {
  test('a stream of server-sent events is parsed by the rules of the standard', async () => {
    const text =
      'retry: 5\n\n: alive\n\nid: 1\nevent: a\ndata: {"x":\ndata: 1}\n\ndata:b\r\n\r\nid: 2\n\ndata';
    expect(await parse([bytes(text)])).toEqual([undefined, '{"x":\n1}', 'b']);
  });

  test('the events are the same however the stream is cut, also within a character', async () => {
    const data = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\r\n]/.test(text));
    const events = fc.array(data, { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(events, fc.array(fc.nat(2_000), { maxLength: 20 }), async (texts, cuts) => {
        const whole = bytes(texts.map((text, n) => `id: ${n}\nevent: e\ndata: ${text}\n\n`).join(''));
        const offsets = [0, ...cuts.filter((cut) => cut < whole.length), whole.length].sort((a, b) => a - b);
        const chunks = offsets.slice(1).map((end, n) => whole.subarray(offsets[n], end));
        expect(await parse(chunks)).toEqual(texts);
      }),
    );
  });

  test('an event that breaks off before its blank line is dropped', async () => {
    expect(await parse([bytes('data: a\n\ndata: b\n')])).toEqual(['a']);
  });

  test('an event of more than 64 Mi characters is refused', async () => {
    const chunk = bytes('x'.repeat(16_777_216));
    await expect(parse([bytes('data: '), chunk, chunk, chunk, chunk])).rejects.toThrow(/buffer/);
  });
});
