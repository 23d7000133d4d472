import { OUTCOMES, RUN_STATUSES } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import {
  type AgentCounts,
  addCounts,
  costOf,
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
  expect(end({ usage: { total: 20 }, cost_usd: 0 })).toEqual({ tokens: 20, costUsd: 0 });
});

test('a delivery that called models without a known cost is counted as one of unknown cost', () => {
  const unknown = { tokens: 15, costUsd: 0, unpriced: 1 };
  expect(end({ usage: { input: 10, output: 5 }, cost_usd: null })).toEqual(unknown);
  expect(end({ usage: { total: 15 }, cost_usd: null, cost_at_least_usd: 0.5 })).toEqual({
    ...unknown,
    costUsd: 0.5,
  });
  expect(spendingOf({ event_type: 'system.run.failed', payload: { usage: { total: 15 } } })).toEqual(unknown);
  const interrupted = { usage: null, cost_usd: null, model_call_count: 2 };
  expect(end(interrupted)).toEqual({ ...unknown, tokens: 0 });
});

test('the cost of an imported attempt is unknown where its source has neither calls nor a cost', () => {
  const unknown = { usage: null, cost_usd: null, model_call_count: null };
  expect(end(unknown)).toEqual({ tokens: 0, costUsd: 0, unpriced: 1 });
  expect(end({ ...unknown, cost_usd: 0.5 })).toEqual({ tokens: 0, costUsd: 0.5 });
});

test('a delivery that called no model costs nothing', () => {
  expect(end({ usage: null, cost_usd: null, model_call_count: 0 })).toEqual({ tokens: 0, costUsd: 0 });
});

test('the cost of an agent is unknown once that of one delivery is, with the known part as its lower bound', () => {
  expect(costOf({ ...noCounts(), costUsd: 2 })).toEqual({ cost_usd: 2 });
  expect(costOf({ ...noCounts(), costUsd: 2, unpriced: 1 })).toEqual({
    cost_usd: null,
    cost_at_least_usd: 2,
  });
  expect(costOf({ ...noCounts(), unpriced: 1 })).toEqual({ cost_usd: null });
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
