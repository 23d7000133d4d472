import type { RecordedEvent } from '@agentclash/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RunTail } from './run-tail.js';

const event = (position: number): RecordedEvent => ({
  event_id: '0193b4a0-0000-7000-8000-000000000001',
  schema_version: '1',
  run_id: '0193b4a0-0000-7000-8000-000000000002',
  sequence_number: position,
  event_type: 'attempt.state_changed',
  source: 'orchestrator',
  occurred_at: '2026-01-01T00:00:00.000Z',
  payload: {},
  summary: {},
  position,
});

describe('the tail of a run', () => {
  let stored: number;
  let reads: { after: number; limit: number }[];
  let pageEvents: number;
  let tail: RunTail;

  beforeEach(() => {
    stored = 0;
    reads = [];
    pageEvents = 500;
    tail = new RunTail(read);
  });

  async function read(after: number, limit: number) {
    reads.push({ after, limit });
    const count = Math.max(0, Math.min(limit, pageEvents, stored - after));
    return { items: Array.from({ length: count }, (_, index) => event(after + index + 1)), is_end: false };
  }

  const idsOf = (text: Buffer) => [...text.toString().matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

  /** All that is sent to a stream from a position on. */
  async function follow(from: number): Promise<number[]> {
    const seen: number[] = [];
    for (let page = await tail.beyond(from); page.last > page.after; page = await tail.beyond(page.last))
      seen.push(...idsOf(page.text));
    return seen;
  }

  test('the tail of a run is read once for all streams at its end', async () => {
    stored = 3;
    const pages = await Promise.all(Array.from({ length: 200 }, () => tail.beyond(0)));
    expect(reads).toHaveLength(1);
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    expect(idsOf(pages[0]?.text ?? Buffer.of())).toEqual([1, 2, 3]);
  });

  test('the tail of a run is cached for streams that come a little later', async () => {
    stored = 3;
    await tail.beyond(0);
    stored = 5;
    await tail.beyond(3);
    expect(await follow(0)).toEqual([1, 2, 3, 4, 5]);
    expect(reads).toEqual([
      { after: 0, limit: 500 },
      { after: 3, limit: 500 },
      { after: 5, limit: 500 },
    ]);
  });

  test('a stream that starts in the middle of a page reads to its end, where the others are', async () => {
    stored = 10;
    await tail.beyond(0);
    expect(await tail.beyond(4)).toMatchObject({ after: 4, last: 10 });
    expect(reads.at(-1)).toEqual({ after: 4, limit: 6 });
  });

  test('the tail stays at the foremost stream while another reads the history', async () => {
    stored = 5_000;
    await tail.beyond(4_999);
    await follow(0);
    reads = [];
    await tail.beyond(4_999);
    expect(reads).toEqual([]);
  });

  test('the tail drops its oldest pages when they are too large', async () => {
    stored = 60_000;
    await follow(0);
    reads = [];
    await tail.beyond(59_500);
    expect(reads).toEqual([]);
    await tail.beyond(0);
    expect(reads).toHaveLength(1);
  });

  test('a failed read of the tail is repeated by the next stream', async () => {
    let isUnavailable = true;
    tail = new RunTail(async () => {
      if (isUnavailable) throw new Error('away');
      return { items: [event(1)], is_end: false };
    });
    await expect(Promise.all([tail.beyond(0), tail.beyond(0)])).rejects.toThrow('away');
    isUnavailable = false;
    expect(await tail.beyond(0)).toMatchObject({ last: 1 });
  });

  test('every stream gets every event once and in order, wherever it starts and whatever is recorded meanwhile', async () => {
    const streams = fc.array(fc.nat(60), { minLength: 1, maxLength: 8 });
    const steps = fc.array(fc.tuple(fc.nat(7), fc.nat(5)), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(streams, steps, fc.integer({ min: 1, max: 9 }), async (starts, moves, page) => {
        stored = 60;
        pageEvents = page;
        tail = new RunTail(read);
        const readers = starts.map((start) => ({ start, at: start, seen: [] as number[] }));
        const step = async (reader: (typeof readers)[number]) => {
          const { text, last } = await tail.beyond(reader.at);
          reader.seen.push(...idsOf(text));
          reader.at = last;
        };
        for (const [who, more] of moves) {
          stored += more;
          const reader = readers[who % readers.length];
          if (reader !== undefined)
            await Promise.all([
              step(reader),
              ...readers
                .slice(0, 2)
                .filter((r) => r !== reader)
                .map(step),
            ]);
        }
        for (const { start, at, seen } of readers)
          expect(seen).toEqual(Array.from({ length: at - start }, (_, index) => start + index + 1));
      }),
    );
  });
});
