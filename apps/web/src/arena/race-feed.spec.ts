import type { RecordedEvent } from '@agentclash/api';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RaceFeed, type RaceView } from './race-feed.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A race of so many lanes, what it has drawn, and what lets every lane land a further attempt. */
function open(count: number) {
  const progress = { total: 9, queued: 9, running: 0, finished: 0, scored: 0, passed: 0, by_outcome: {} };
  const agents = Array.from({ length: count }, (_, index) => ({
    ...{ id: `lane-${index}`, name: 'solver', kind: 'scripted' as const, progress, overall_so_far: null },
  }));
  const feed = new RaceFeed(agents);
  const views: RaceView[] = [feed.current()];
  feed.subscribe(() => views.push(feed.current()));
  let position = 0;
  const land = () => {
    for (const { id } of agents) {
      position += 1;
      const identity = { run_agent_id: id, attempt_id: `attempt-${position}`, case_key: 'a', repetition: 1 };
      const occurred_at = '2026-01-01T00:00:00.000Z';
      const scored = { event_type: 'run.attempt_scored', payload: { overall: 1, passed: true } };
      feed.take({ ...identity, ...scored, position, occurred_at } as RecordedEvent);
    }
  };
  return { feed, views, land };
}

/** Number of lanes that each redraw has changed. */
function drawn(views: readonly RaceView[]): number[] {
  return views
    .slice(1)
    .map(({ lanes }, at) => lanes.filter((lane, index) => lane !== views[at]?.lanes[index]).length);
}

test('no drawing has more than a quarter of the lanes, and all are drawn within a tenth of a second', () => {
  const { views, land, feed } = open(16);
  land();
  jest.advanceTimersByTime(100);
  expect(drawn(views)).toEqual([4, 4, 4, 4]);
  expect(feed.current().lanes.map(({ scored }) => scored)).toEqual(Array(16).fill(1));
});

test.each([1, 3, 16])(
  'each of %i lanes is drawn at most ten times a second, however many events arrive',
  (count) => {
    const { views, land } = open(count);
    for (let ms = 0; ms < 1_000; ms += 5) {
      land();
      jest.advanceTimersByTime(5);
    }
    for (let index = 0; index < count; index += 1) {
      expect(new Set(views.map(({ lanes }) => lanes[index])).size).toBeLessThanOrEqual(11);
    }
    expect(new Set(views.map(({ results }) => results)).size).toBeLessThanOrEqual(11);
  },
);

test('new results are drawn within a tenth of a second, in any order of the lanes', () => {
  const { feed, land } = open(3);
  for (let round = 1; round <= 5; round += 1) {
    land();
    jest.advanceTimersByTime(100);
    expect(feed.current().results).toHaveLength(3 * round);
    jest.advanceTimersByTime(30 * round);
  }
});

test('the clock stops while no event arrives', () => {
  const { land } = open(16);
  expect(jest.getTimerCount()).toBe(0);
  land();
  jest.advanceTimersByTime(200);
  expect(jest.getTimerCount()).toBe(0);
});

test('the remaining events are drawn at once when the race is closed', () => {
  const { feed, land } = open(16);
  land();
  jest.advanceTimersByTime(30);
  feed.close();
  expect(feed.current().lanes.map(({ scored }) => scored)).toEqual(Array(16).fill(1));
  expect(feed.current().results).toHaveLength(16);
  expect(jest.getTimerCount()).toBe(0);
});
