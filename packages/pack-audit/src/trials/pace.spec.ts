import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { hasHung, Pace } from './pace.js';
import { type TrialResult, unplannedResult } from './trial.js';

const result = (payload: Record<string, unknown>, passed = false): TrialResult => {
  const { evidence, ...rest } = unplannedResult({ code: 'none', message: 'none' });
  const event = {
    event_type: 'grader.verification.code_executed',
    payload,
    sequence_number: 1,
    occurred_at: '',
  } as const;
  return {
    ...rest,
    points: { passed, lacksJudges: false, overall: null, dimensions: {}, validators: {} },
    evidence: { ...evidence, events: [event] },
  };
};

describe('the pace of trials', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** How many of the gradings become slow within so many milliseconds. */
  function slowOf(pace: Pace, { gradings, ms }: { gradings: number; ms: number }) {
    let slow = 0;
    const ends = Array.from({ length: gradings }, () => pace.begin(() => slow++));
    jest.advanceTimersByTime(ms);
    return { slow, ends };
  }

  test('No grading is slow before the gradings of solutions are known.', () => {
    expect(slowOf(new Pace(1), { gradings: 1, ms: 1e9 }).slow).toBe(0);
  });

  test('A grading is slow after three times the longest grading of a solution, and after 10 s at the earliest.', () => {
    const short = new Pace(1);
    short.learn([result({ duration_ms: 20 })]);
    expect(slowOf(short, { gradings: 1, ms: 9_999 }).slow).toBe(0);
    expect(slowOf(short, { gradings: 1, ms: 10_000 }).slow).toBe(1);
    const long = new Pace(1);
    long.learn([result({ duration_ms: 20_000 }), result({ duration_ms: 20 })]);
    expect(slowOf(long, { gradings: 1, ms: 59_999 }).slow).toBe(0);
    expect(slowOf(long, { gradings: 1, ms: 60_000 }).slow).toBe(1);
  });

  test('Two gradings for each trial at once may be slow, and further ones when those have ended.', () => {
    const pace = new Pace(2);
    pace.learn([]);
    const { slow, ends } = slowOf(pace, { gradings: 6, ms: 60_000 });
    expect(slow).toBe(4);
    for (const end of ends) end();
    expect(slowOf(pace, { gradings: 6, ms: 60_000 }).slow).toBe(4);
  });

  test('A grading that has ended does not become slow.', () => {
    const pace = new Pace(1);
    pace.learn([]);
    let slow = 0;
    pace.begin(() => slow++)();
    jest.advanceTimersByTime(60_000);
    expect(slow).toBe(0);
  });
});

test('A trial has hung where a grader ran into its time limit and the attempt did not pass.', () => {
  expect(hasHung(result({ timed_out: true }))).toBe(true);
  expect(hasHung(result({ timed_out: false }))).toBe(false);
  expect(hasHung(result({ timed_out: true }, true))).toBe(false);
});
