import { describe, expect, test } from '@jest/globals';
import { id, runOf } from '../testing/fixtures.js';
import { bestScore, costOfRun, durationMs } from './run-totals.js';

type Contender = NonNullable<ReturnType<typeof runOf>['agents']>[number];

const agent = (number: number, more: Partial<Contender>): Contender => ({
  ...{ id: id(number), name: `a${number}`, judged: 1, passed: 1, overall_so_far: null, rank: null },
  ...more,
});

describe('the totals of a run', () => {
  test('the best score is the highest of the agents that have one', () => {
    const agents = [agent(1, { overall_so_far: 0.4 }), agent(2, { overall_so_far: 0.9 }), agent(3, {})];
    expect(bestScore({ agents })).toBe(0.9);
    expect(bestScore({ agents: [agent(3, {})] })).toBeNull();
  });

  test('the cost is unknown when that of one agent is, and then the known part is a lower bound', () => {
    const [one, two] = [agent(1, { cost_usd: 0.25 }), agent(2, { cost_usd: null, cost_at_least_usd: 0.5 })];
    expect(costOfRun({ agents: [one, one] })).toEqual({ cost_usd: 0.5 });
    expect(costOfRun({ agents: [one, two] })).toEqual({ cost_usd: null, cost_at_least_usd: 0.75 });
    expect(costOfRun({ agents: [agent(1, { cost_usd: null })] })).toEqual({ cost_usd: null });
  });

  test('the duration counts on while a run is at work, and is unknown before it starts', () => {
    const started_at = '2026-01-01T00:00:00.000Z';
    expect(durationMs(runOf({ started_at, finished_at: '2026-01-01T00:00:05.000Z' }))).toBe(5_000);
    expect(durationMs(runOf({ started_at, finished_at: null }), Date.parse(started_at) + 7)).toBe(7);
    expect(durationMs(runOf({ started_at: null, finished_at: null }))).toBeNull();
  });
});
