import { describe, expect, test } from '@jest/globals';
import { trendAgent, trendRun } from '../testing/trends.js';
import { knownMeasures, MEASURES, seriesOf } from './trend-series.js';

const keys = (...args: Parameters<typeof seriesOf>) => seriesOf(...args).map(({ key }) => key);

describe('series of a trend', () => {
  test('an agent is one series over the runs, and agents that took part last come first', () => {
    const runs = [
      trendRun(3, [trendAgent('b'), trendAgent('c')]),
      trendRun(2, [trendAgent('a'), trendAgent('b')]),
    ];
    expect(keys(runs, { namesPack: false })).toEqual(['b', 'c', 'a']);
    const [first] = seriesOf(runs, { namesPack: false });
    expect([...(first?.agents.keys() ?? [])]).toEqual(runs.map(({ id }) => id));
  });

  test('results on other cases are a series of their own', () => {
    const [one, two] = [trendRun(2, [trendAgent('a')]), trendRun(1, [trendAgent('a')])];
    const hard = { ...two, input_set: { ...two.input_set, key: 'hard' } };
    expect(keys([one, hard], { namesPack: false })).toEqual(['a on main', 'a on hard']);
    expect(keys([one, hard], { namesPack: true })).toEqual(['a on sums, main', 'a on sums, hard']);
  });
});

describe('measures of a trend', () => {
  test('a measure is offered where any agent has it', () => {
    const bare = trendAgent('a', { judged: 0, cost_usd: null });
    expect(knownMeasures([trendRun(1, [bare])])).toEqual(['score']);
    const timed = trendAgent('b', { latency: { p50_ms: 10, p95_ms: 20, attempts: 2 } });
    expect(knownMeasures([trendRun(1, [bare, timed])])).toEqual(['score', 'pass', 'cost', 'p50', 'p95']);
  });

  test('a cost is that of one attempt, and unknown without attempts', () => {
    expect(MEASURES.cost.of(trendAgent('a', { cost_usd: 2, finished: 4 }))).toBe(0.5);
    expect(MEASURES.cost.of(trendAgent('a', { cost_usd: 0, finished: 0 }))).toBeNull();
  });
});
