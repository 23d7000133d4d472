import { describe, expect, test } from '@jest/globals';
import { aggregateAttempts } from '../aggregate/aggregate.js';
import type { Standing } from './ranking.js';
import { rankByDimension, rankStandings } from './ranking.js';

function standing(id: string, figures: Partial<Standing> = {}): Standing {
  return {
    id,
    validity: 'valid',
    passed: true,
    overall: null,
    correctness: null,
    reliability: null,
    ...figures,
  };
}

function ranked(id: string, latency: number | null) {
  const scorecard = aggregateAttempts({
    strategy: 'weighted',
    pass_threshold: undefined,
    dimensions: ['latency'],
    gates: [],
    attempts: [
      {
        case_key: 'c1',
        overall: 0.5,
        passed: null,
        reason: 'no_pass_bar',
        validity: 'valid',
        gates: {},
        dimensions: { latency },
        raw: {},
      },
    ],
    planned_attempts: 1,
    draws: [1],
  });
  return { id, scorecard };
}

describe('ranking', () => {
  test('ranks are dense and ties list by id, whatever the order given', () => {
    const agents = [
      standing('c', { overall: 0.4 }),
      standing('b', { overall: 0.9 }),
      standing('a', { overall: 0.9 }),
    ];
    const want = [
      { id: 'a', rank: 1, reason: 'tie' },
      { id: 'b', rank: 1, reason: 'tie' },
      { id: 'c', rank: 2, reason: 'overall' },
    ];
    expect(rankStandings(agents)).toEqual(want);
    expect(rankStandings([...agents].reverse())).toEqual(want);
  });

  test('a missing figure comes after any figure', () => {
    const ranking = rankStandings([standing('a'), standing('b', { overall: 0 })]);
    expect(ranking.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('a view by one dimension leaves agents without it unranked, at the end', () => {
    const agents = [ranked('a', null), ranked('b', 0.5), ranked('c', 0.9), ranked('d', 0.5)];
    expect(rankByDimension(agents, 'latency')).toEqual([
      { id: 'c', rank: 1, value: 0.9 },
      { id: 'b', rank: 2, value: 0.5 },
      { id: 'd', rank: 2, value: 0.5 },
      { id: 'a', rank: null, value: null },
    ]);
  });

  test('no agents make no ranking', () => {
    expect(rankStandings([])).toEqual([]);
  });
});
