import { Replay } from '@agentclash/api';
import type { HistoryEvent } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { ReplayCache } from './replays.service.js';

const RUN_ID = '01a2008d-a3b9-70cb-9102-ed85789ea469';

function replayOf(numbers: readonly number[], text = ''): Replay {
  const replay = new Replay(1);
  for (const sequence_number of numbers) replay.apply(event(sequence_number, text));
  return replay;
}

function event(sequence_number: number, text: string): HistoryEvent {
  return {
    event_id: RUN_ID,
    schema_version: '1',
    run_id: RUN_ID,
    sequence_number,
    event_type: 'scoring',
    source: 'native_engine',
    occurred_at: new Date(0).toISOString(),
    payload: { text },
    summary: {},
  };
}

describe('the cache of replays', () => {
  test('the least recently read replay is evicted when the cache is full', () => {
    const replay = () => replayOf([1], 'x'.repeat(1_000));
    const cache = new ReplayCache(Math.floor(2.5 * replay().bytes));
    for (const id of ['a', 'b', 'a', 'c']) cache.set(id, replay());
    expect(['a', 'b', 'c'].map((id) => cache.find(id, undefined) !== undefined)).toEqual([true, false, true]);
  });

  test('a replay that is set again after it has grown is measured again', () => {
    const grown = replayOf([1]);
    const cache = new ReplayCache(10_000);
    cache.set('a', grown);
    cache.set('b', replayOf([1]));
    grown.apply(event(2, 'x'.repeat(8_500)));
    cache.set('a', grown);
    expect(cache.find('a', undefined)).toBe(grown);
    expect(cache.find('b', undefined)).toBeUndefined();
  });

  test('neither a replay larger than the cache nor one with a gap is cached', () => {
    const cache = new ReplayCache(10_000);
    cache.set('a', replayOf([1], 'x'.repeat(10_000)));
    cache.set('b', replayOf([1, 3]));
    expect([cache.find('a', 1), cache.find('b', 1)]).toEqual([undefined, undefined]);
  });

  test('the cache has one replay per attempt, of the delivery that was read last', () => {
    const cache = new ReplayCache(10_000);
    cache.set('a', new Replay(1));
    cache.set('a', new Replay(2));
    expect([1, 2, undefined].map((delivery) => cache.find('a', delivery)?.delivery)).toEqual([
      undefined,
      2,
      2,
    ]);
  });
});
