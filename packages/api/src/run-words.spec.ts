import { describe, expect, test } from '@jest/globals';
import { leadersOf, runArgument, runHandle, runTitle } from './run-words.js';

const id = '01a206a5-8267-73ad-9d6b-f944923bb4d5';

describe('the words for a run', () => {
  test('a run is named by its number and its name', () => {
    expect(runTitle({ id, number: 42, name: 'nightly' })).toBe('#42 nightly');
    expect(runTitle({ id, number: 42, name: null })).toBe('Run #42');
    expect(runHandle({ id, number: 42 })).toBe('#42');
  });

  test('a run without a number is named by its name, or by its id', () => {
    expect(runTitle({ id, name: null })).toBe('Run 923bb4d5');
    expect(runTitle({ id, name: 'nightly' })).toBe('nightly');
    expect(runHandle({ id })).toBe(id);
    expect(runArgument({ id })).toBe(id);
  });

  test('the argument of a number that may be a part of an id is marked as a number, and quoted for shells', () => {
    expect(runArgument({ id, number: 999 })).toBe('999');
    expect(runArgument({ id, number: 1000 })).toBe("'#1000'");
  });
});

describe('the agents at the top of a run', () => {
  const agent = (name: string, rank: number | null, overall: number | null) => ({
    ...{ id, name, judged: 1, passed: 1, rank, overall_so_far: overall },
  });
  const names = (run: Parameters<typeof leadersOf>[0]) => leadersOf(run).map(({ name }) => name);

  test('all that share the first rank lead', () => {
    const agents = [agent('a', 1, 1), agent('b', 2, 0.5), agent('c', 1, 1), agent('d', null, 1)];
    expect(names({ agents })).toEqual(['a', 'c']);
  });

  test('no agent leads where nothing was scored, or where the pack could not grade every attempt', () => {
    expect(names({ agents: [agent('a', 1, null), agent('b', 1, null)] })).toEqual([]);
    const broken = {
      validator: 'v',
      type: 'regex_match',
      reason: 'invalid',
      expected_from: null,
      value: null,
    };
    const errors = [{ ...broken, message: 'v has an invalid pattern', attempts: 1, case_key: 'c' }];
    expect(names({ agents: [agent('a', 1, 1)], pack_errors: errors })).toEqual([]);
    expect(names({})).toEqual([]);
  });
});
