import { expect, test } from '@jest/globals';
import { agentOf } from '../../testing/fixtures.js';
import { rankedLane } from '../estimates.js';
import { groupedLanes } from './lane-groups.js';

const variantOf = (deployment: string, name: string) => ({ deployment, name, baseline: 'bare' });
const agents = [
  agentOf(300, 'coder (skill)', { variant: variantOf('coder', 'skill') }),
  agentOf(301, 'other'),
  agentOf(302, 'coder (bare)', { variant: variantOf('coder', 'bare') }),
  agentOf(303, 'writer (docs)', { variant: variantOf('writer', 'docs') }),
  agentOf(304, 'coder (docs)', { variant: variantOf('coder', 'docs') }),
  agentOf(305, 'writer (bare)', { variant: variantOf('writer', 'bare') }),
];

/** Lanes by their indices in the run, the best first. */
const rankedBy = (...indices: number[]) =>
  indices.map((index, rank) => {
    const agent = agents[index] ?? agentOf(index, '');
    return rankedLane(
      {
        ...{ run_agent_id: agent.id, name: agent.name, rank: rank + 1, reason: 'overall' },
        ...{ overall: 0.5, passed: true, validity: 'valid' },
      },
      {},
    );
  });

test('variants are grouped below their baseline, and deployments in the order of their best lanes', () => {
  const lanes = groupedLanes(rankedBy(4, 5, 1, 0, 2, 3), { agents, comparisons: [] });
  expect(lanes.map(({ name, index, rank }) => [name, index, rank])).toEqual([
    ['coder (bare)', 2, 5],
    ['coder (skill)', 0, 4],
    ['coder (docs)', 4, 1],
    ['writer (bare)', 5, 2],
    ['writer (docs)', 3, 6],
    ['other', 1, 3],
  ]);
});

test('a ranking is in its own order while the lanes of the run are loading', () => {
  const lanes = groupedLanes(rankedBy(4, 1, 0), { agents: [], comparisons: [] });
  expect(lanes.map(({ name }) => name)).toEqual(['coder (docs)', 'other', 'coder (skill)']);
});
