import { OUTCOMES, RUN_STATUSES } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import {
  type AgentCounts,
  addCounts,
  noCounts,
  overallSoFar,
  progressOf,
  runAgentStatus,
  spendingOf,
} from './progress.js';

describe('progress', () => {
  test('progress counts every attempt once, over all agents', () => {
    const one = addCounts(noCounts(), { queued: 2, running: 1, byOutcome: { completed: 3, infra_error: 1 } });
    const other = addCounts(noCounts(), { scored: 2, usable: 1, passed: 1, byOutcome: { completed: 2 } });
    expect(progressOf([one, other])).toEqual({
      total: 9,
      queued: 2,
      running: 1,
      finished: 6,
      scored: 2,
      graded: 1,
      passed: 1,
      by_outcome: { completed: 5, infra_error: 1 },
    });
  });

  test('progress names only the outcomes that occurred', () => {
    expect(progressOf([noCounts()]).by_outcome).toEqual({});
    for (const outcome of OUTCOMES) {
      expect(progressOf([addCounts(noCounts(), { byOutcome: { [outcome]: 1 } })]).by_outcome).toEqual({
        [outcome]: 1,
      });
    }
  });

  test('progress has a mean only once something was graded', () => {
    expect(overallSoFar(noCounts())).toBeNull();
    expect(overallSoFar(addCounts(noCounts(), { graded: 4, overallSum: 3 }))).toBe(0.75);
  });
});

const end = (payload: Record<string, unknown>) => spendingOf({ event_type: 'system.run.completed', payload });

test('the end of a delivery reports the tokens and cost of its models', () => {
  expect(end({ usage: { input: 10, output: 5, total: 20 }, cost_usd: 0.25 })).toEqual({
    tokens: 20,
    costUsd: 0.25,
  });
  expect(end({ usage: { input: 10, output: 5 }, cost_usd: null })).toEqual({ tokens: 15, costUsd: 0 });
  expect(spendingOf({ event_type: 'system.run.failed', payload: { usage: { total: 3 } } })).toEqual({
    tokens: 3,
    costUsd: 0,
  });
});

test('single calls are not counted again, and an invalid figure counts nothing', () => {
  expect(
    spendingOf({ event_type: 'model.call.completed', payload: { usage: { total: 9 } } }),
  ).toBeUndefined();
  for (const usage of [null, undefined, 'many', { total: 'many' }, { total: -1 }, { input: Number.NaN }])
    expect(end({ usage, cost_usd: '1' })).toEqual({ tokens: 0, costUsd: 0 });
});

const counts = (changes: Partial<AgentCounts>): AgentCounts => ({ ...noCounts(), ...changes });
const completed = (number: number) => ({ byOutcome: { ...noCounts().byOutcome, completed: number } });

const LIFE: [string, AgentCounts][] = [
  ['queued', counts({ queued: 3 })],
  ['running', counts({ queued: 2, running: 1 })],
  ['running', counts({ queued: 2, ...completed(1) })],
  ['running', counts({ running: 1, ...completed(2), scored: 2, usable: 2 })],
  ['scoring', counts(completed(3))],
  ['scoring', counts({ ...completed(3), scored: 2, usable: 2 })],
  ['completed', counts({ ...completed(3), scored: 3, usable: 1 })],
  // Without an overall, such as one that gates alone decide.
  ['completed', counts({ ...completed(3), scored: 3, usable: 1, graded: 0 })],
  ['failed', counts({ ...completed(3), scored: 3 })],
  ['failed', counts({ ...completed(3), scored: 3, graded: 1 })],
];
const EVERYWHERE = RUN_STATUSES.flatMap((run) => LIFE.map(([status, at]) => ({ run, status, at })));

describe('an agent of a run', () => {
  test.each(EVERYWHERE)(
    'an agent in a run that is $run is $status by its own attempts, else cancelled',
    (row) => {
      expect(runAgentStatus(row.at, row.run)).toBe(row.run === 'cancelled' ? 'cancelled' : row.status);
    },
  );
});
