import { describe, expect, test } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { EventSplitter } from './event-splitter.js';
import { readMcpEvents, readMcpMessage } from './mcp-message.js';

const notification = (method: string) => JSON.stringify({ jsonrpc: '2.0', method });

/** Methods of the messages in a stream that arrives in these chunks. */
function methodsOf(chunks: readonly Uint8Array[]): string[] {
  const splitter = new EventSplitter();
  return chunks.flatMap((chunk) => {
    const bytes = splitter.take(chunk);
    return bytes === undefined ? [] : readMcpEvents(bytes).map((message) => methodOf(message));
  });
}
const methodOf = (message: object) => ('method' in message ? String(message.method) : 'invalid');

/** A stream is read up to the first event that is no message. */
function upToInvalid(methods: readonly string[]): readonly string[] {
  const first = methods.indexOf('invalid');
  return first < 0 ? methods : methods.slice(0, first + 1);
}

function chunksOf(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(start, start + length));
    start += length;
  }
  return [...chunks, bytes.subarray(start)];
}

describe('A stream of events', () => {
  const line = fc.oneof(
    fc.constantFrom('', ': comment', 'event: message', 'id: 1', 'data', 'retry: 5'),
    fc.integer({ min: 0, max: 99 }).map((number) => `data: ${notification(`m${number}é`)}`),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 })
    .map((lines) => lines.flat().join(''));

  test('A stream has the same messages in whatever chunks it arrives', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 }), (text, lengths) => {
        const expected: string[] = [];
        createParser({
          onEvent: ({ data }) => expected.push(methodOf(readMcpMessage(Buffer.from(data)))),
        }).feed(text);
        const found = methodsOf(chunksOf(Buffer.from(text), lengths));
        expect(upToInvalid(found)).toEqual(upToInvalid(expected));
      }),
    );
  });

  test('An event that has not ended yields nothing, and the rest of it completes it', () => {
    const splitter = new EventSplitter();
    expect(splitter.take(Buffer.from('data: {"jsonrpc":'))).toBeUndefined();
    expect(splitter.take(Buffer.from('"2.0","method":"a"}\r\n'))).toBeUndefined();
    const bytes = splitter.take(Buffer.from('\r\ndata'));
    expect(readMcpEvents(bytes ?? Buffer.alloc(0))).toEqual([{ kind: 'notification', method: 'a' }]);
  });

  test('The time to divide chunks of one byte grows with their count', () => {
    const [small = 0, large = 0] = [100_000, 800_000].map((count) => {
      const splitter = new EventSplitter();
      const started = process.cpuUsage();
      for (let at = 0; at < count; at += 1) splitter.take(Buffer.of(0x78));
      const { user, system } = process.cpuUsage(started);
      return user + system;
    });
    expect(large / small).toBeLessThan(24);
  });

  test('Messages up to the first that is none are read, and bytes that are not UTF-8 are none', () => {
    const events = `data: ${notification('a')}\n\ndata: [1]\n\ndata: ${notification('b')}\n\n`;
    expect(readMcpEvents(Buffer.from(events)).map(methodOf)).toEqual(['a', 'invalid']);
    expect(readMcpEvents(Buffer.from('data: "\xff"\n\n', 'latin1')).map(methodOf)).toEqual(['invalid']);
  });
});
