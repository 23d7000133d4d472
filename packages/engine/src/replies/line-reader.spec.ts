import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type LineFailure, LineReader, type LineReaderOptions } from './line-reader.js';
import { linesOf } from './rpc-message.js';

const readTexts = async (bytes: Uint8Array) =>
  [...linesOf(bytes)].map((line) => Buffer.from(line).toString());

function setUp(options: Partial<LineReaderOptions<string>> = {}) {
  const messages: string[] = [];
  const failures: LineFailure[] = [];
  const reader = new LineReader<string>({
    lineBytesMax: 1_000,
    unreadBytesMax: 100_000,
    read: readTexts,
    onMessage: (message) => messages.push(message),
    onFailure: (failure) => failures.push(failure),
    ...options,
  });
  return { messages, failures, take: (text: string) => reader.take(Buffer.from(text)), reader };
}

/** A read that ends when the test lets it. */
function heldRead() {
  const batches: number[] = [];
  const released = Promise.withResolvers<void>();
  const read = async (bytes: Uint8Array) => {
    batches.push(bytes.length);
    await released.promise;
    return await readTexts(bytes);
  };
  return { read, batches, release: released.resolve };
}

describe('A reader of lines', () => {
  test('A reader of lines delivers all lines in order, also those that arrive while it reads', async () => {
    const { read, batches, release } = heldRead();
    const { take, messages, reader } = setUp({ read });
    take('a\nb');
    take('\n\nc\nrest');
    expect(messages).toEqual([]);
    release();
    await reader.drained();
    expect(messages).toEqual(['a', 'b', 'c']);
    expect(batches).toEqual([2, 5]);
  });

  test('A reader of lines reads many short lines together, and a long one alone', async () => {
    const { read, batches, release } = heldRead();
    const { take, messages, reader } = setUp({ read, lineBytesMax: 1e6, unreadBytesMax: 1e7 });
    take('first\n');
    for (let at = 0; at < 100; at++) take(`${'x'.repeat(1_000)}\n`);
    take(`${'y'.repeat(500_000)}\n`);
    release();
    await reader.drained();
    expect(messages).toHaveLength(102);
    expect(batches).toEqual([6, 100_100, 500_001]);
  });

  test('A reader of lines refuses a line that is too long, in whatever chunks it arrives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_100 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 3_000 }),
        (lengths, chunkLength) => {
          const { take, failures } = setUp({ unreadBytesMax: 1e9 });
          const text = lengths.map((length) => `${'x'.repeat(length)}\n`).join('');
          for (let at = 0; at < text.length; at += chunkLength) take(text.slice(at, at + chunkLength));
          expect(failures).toEqual(lengths.some((length) => length > 1_000) ? ['line'] : []);
        },
      ),
    );
  });

  test.each<[string, string]>([
    ['long lines', `${'x'.repeat(900)}\n`],
    ['many chunks of one byte', '\n'],
    ['a line that is begun', 'x'],
  ])('A reader of lines holds no more than its limit of %s', async (_title, chunk) => {
    const { read } = heldRead();
    const { take, failures, messages } = setUp({ read, unreadBytesMax: 10_000, lineBytesMax: 20_000 });
    for (let at = 0; at < 20; at++) take(chunk);
    expect(failures).toEqual(chunk.length > 1 ? ['unread'] : []);
    for (let at = 0; at < 80; at++) take(chunk);
    expect(failures).toEqual(['unread']);
    expect(messages).toEqual([]);
  });

  test.each<[LineFailure, () => Promise<never[] | 'overrun'>]>([
    ['overrun', async () => 'overrun'],
    [
      'unreadable',
      async () => {
        throw new Error('lost');
      },
    ],
  ])('A reader of lines that cannot be read fails once, as %s', async (failure, read) => {
    const { take, failures, messages } = setUp({ read });
    take('a\n');
    take('b\n');
    await waitFor(() => failures.length > 0);
    take('c\n');
    expect(failures).toEqual([failure]);
    expect(messages).toEqual([]);
  });

  test('A reader of lines that was stopped aborts its read and delivers nothing', async () => {
    let aborted: AbortSignal | undefined;
    const { take, failures, messages, reader } = setUp({
      read: async (bytes, signal) => {
        aborted = signal;
        return await readTexts(bytes);
      },
    });
    take('a\nb\n');
    reader.stop();
    await reader.drained();
    expect(aborted?.aborted).toBe(true);
    expect({ failures, messages }).toEqual({ failures: [], messages: [] });
  });
});
