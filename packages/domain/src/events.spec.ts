import { describe, expect, test } from '@jest/globals';
import {
  type Activity,
  EVENT_PAIRS,
  EXECUTION_EVENT_TYPES,
  endsOf,
  isActivity,
  RUN_EVENT_TYPES,
  SCORING_EVENT_TYPES,
} from './events.js';

const TYPES: readonly string[] = [...RUN_EVENT_TYPES, ...SCORING_EVENT_TYPES, ...EXECUTION_EVENT_TYPES];
const ACTIVITIES = Object.keys(EVENT_PAIRS).filter(isActivity);

describe('event types', () => {
  test('each event type is declared once', () => {
    expect(new Set(TYPES).size).toBe(TYPES.length);
  });

  test.each(ACTIVITIES)('the activity %s starts and ends with declared types', (activity: Activity) => {
    expect(TYPES).toEqual(expect.arrayContaining([`${activity}.started`, ...endsOf(activity)]));
  });

  test('every type that ends in `.started` belongs to an activity, and so do its end types', () => {
    const started = TYPES.filter((type) => type.endsWith('.started'));
    expect(started.map((type) => type.slice(0, -'.started'.length)).sort()).toEqual([...ACTIVITIES].sort());
    for (const activity of ACTIVITIES) {
      const ends = TYPES.filter((type) => /^(completed|failed)$/.test(type.slice(activity.length + 1)));
      const own = ends.filter((type) => type.startsWith(`${activity}.`));
      expect([...endsOf(activity)].sort()).toEqual(own.sort());
    }
  });
});
