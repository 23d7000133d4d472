import { expect, test } from '@jest/globals';
import { spendingOf } from './spending.js';

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

test('single calls are not counted again, and what is no figure counts nothing', () => {
  expect(
    spendingOf({ event_type: 'model.call.completed', payload: { usage: { total: 9 } } }),
  ).toBeUndefined();
  for (const usage of [null, undefined, 'many', { total: 'many' }, { total: -1 }, { input: Number.NaN }])
    expect(end({ usage, cost_usd: '1' })).toEqual({ tokens: 0, costUsd: 0 });
});
