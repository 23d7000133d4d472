import { expect, test } from '@jest/globals';
import { eventCount, idOf, raceEvents } from './race-script.js';

const SCRIPT = {
  runId: idOf('f', 99),
  laneIds: [idOf('f', 1), idOf('f', 2)],
  cases: 5,
  atOnce: 2,
  lastsMs: 60_000,
};

test('a scripted race numbers its recorded events without a gap, scores every attempt once, and ends', () => {
  const recorded = [...raceEvents(SCRIPT)].filter((event) => 'position' in event);
  expect(recorded.map(({ position }) => position)).toEqual(recorded.map((_, index) => index + 1));
  expect(recorded).toHaveLength(eventCount(SCRIPT));
  const scored = recorded.filter(({ event_type }) => event_type === 'run.attempt_scored');
  expect(new Set(scored.map(({ attempt_id }) => attempt_id)).size).toBe(10);
  expect(scored).toHaveLength(10);
  expect(recorded.at(-1)).toMatchObject({
    event_type: 'run.completed',
    occurred_at: '2026-01-01T00:01:00.000Z',
  });
});
