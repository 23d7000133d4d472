import { expect, test } from '@jest/globals';
import { provisionalRanking } from './standings.js';

const lane = (index: number, passed: number, judged: number) => ({
  ...{ id: `${index}`, index, name: `lane ${index}`, passed, judged, overall: null },
});

test('lanes are ordered by their pass rates so far, equal ones share a rank, and those without a verdict are last', () => {
  const ranked = provisionalRanking([
    lane(0, 0, 0),
    lane(1, 1, 2),
    lane(2, 3, 4),
    lane(3, 2, 4),
    lane(4, 0, 3),
  ]);
  expect(ranked.map(({ index, rank }) => [index, rank])).toEqual([
    [2, 1],
    [1, 2],
    [3, 2],
    [4, 4],
    [0, null],
  ]);
});
