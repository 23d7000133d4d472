import { expectNear, vectorSuite } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { rankStandings } from './ranking.js';
import type { Standing } from './types.js';

interface Vector {
  id: string;
  agents: Standing[];
  want: { ranking: unknown };
}

vectorSuite<Vector>('scoring-ranking.yaml', ({ agents, want }) => {
  expectNear(rankStandings(agents), want.ranking);
});

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

  test('no agents make no ranking', () => {
    expect(rankStandings([])).toEqual([]);
  });
});
