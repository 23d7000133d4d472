import type { RunAgent } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import type { ComparedRun } from './compared-run.js';
import { chooseLanes } from './lanes.js';

const run = (side: string, ...names: string[]) =>
  ({
    run: { id: side },
    agents: names.map((name, index) => ({ id: `${side}${index}`, name }) as RunAgent),
  }) as unknown as ComparedRun;
const chosen = (baseline: ComparedRun, candidate: ComparedRun) =>
  chooseLanes({ baseline, candidate }, {}).map((pair) => [pair.baseline?.id, pair.candidate?.id]);

describe('lanes that a request does not name', () => {
  test('the only agent of one run is compared with its namesake among several of the other', () => {
    expect(chosen(run('b', 'noop', 'solver'), run('c', 'solver'))).toEqual([['b1', 'c0']]);
    expect(chosen(run('b', 'solver'), run('c', 'noop', 'solver'))).toEqual([['b0', 'c1']]);
  });

  test('several agents of the same names are paired by name, in the order of the candidate', () => {
    expect(chosen(run('b', 'noop', 'solver'), run('c', 'solver', 'noop'))).toEqual([
      ['b1', 'c0'],
      ['b0', 'c1'],
    ]);
  });

  test('common names of line-ups that differ are paired, and an agent that one run alone has has no other side', () => {
    expect(chosen(run('b', 'noop', 'solver', 'more'), run('c', 'solver', 'noop'))).toEqual([
      ['b1', 'c0'],
      ['b0', 'c1'],
      ['b2', undefined],
    ]);
    expect(chosen(run('b', 'noop', 'solver'), run('c', 'other', 'noop'))).toEqual([
      [undefined, 'c0'],
      ['b0', 'c1'],
      ['b1', undefined],
    ]);
  });

  test('an agent that the request names is one pair with its namesake, although all names are the same', () => {
    const sides = { baseline: run('b', 'noop', 'solver'), candidate: run('c', 'noop', 'solver') };
    const pairs = chooseLanes(sides, { candidate_agent: 'solver' });
    expect(pairs.map((pair) => [pair.baseline?.id, pair.candidate?.id])).toEqual([['b1', 'c1']]);
  });

  test('nothing is chosen where no agent, or more than one, has the name', () => {
    expect(chosen(run('b', 'noop', 'other'), run('c', 'solver'))).toEqual([[undefined, 'c0']]);
    expect(chosen(run('b', 'solver', 'solver'), run('c', 'solver'))).toEqual([[undefined, 'c0']]);
    expect(chosen(run('b', 'noop', 'solver'), run('c', 'some', 'other'))).toEqual([[undefined, undefined]]);
    expect(chosen(run('b', 'x', 'x', 'y'), run('c', 'x', 'y'))).toEqual([[undefined, undefined]]);
    expect(chosen(run('b', 'x', 'x'), run('c', 'x', 'x'))).toEqual([[undefined, undefined]]);
  });
});
