import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearestName, suggestedName } from './nearest-name.js';

test.each([
  ['validatrs', ['validators', 'metrics'], 'validators'],
  ['Slug', ['slug', 'name'], 'slug'],
  ['lsit', ['list', 'last'], 'list'],
  ['abc', ['abd', 'abb'], 'abb'],
  ['shell_exec', ['exec', 'build'], undefined],
])('the nearest name to %s among %j is %s', (name, candidates, nearest) => {
  expect(nearestName(name, candidates)).toBe(nearest);
});

test.each([
  ['json_path', ['json_schema', 'json_path_match', 'exact_match'], 'json_path_match'],
  ['mode', ['match_mode', 'ignore_whitespace'], 'match_mode'],
  ['json', ['json_schema', 'json_path_match'], undefined],
  ['containz', ['contains', 'not_contains'], 'contains'],
  ['trivial', ['easy', 'medium', 'hard', 'expert'], undefined],
  ['x', ['x_ray'], undefined],
])('the text %s may be a part of the intended name', (name, candidates, suggestion) => {
  expect(suggestedName(name, candidates)).toBe(suggestion);
});

/** The textbook recurrence, without any shortcut. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  const options = [distance(x, b) + 1, distance(a, y) + 1, distance(x, y) + (a.at(-1) === b.at(-1) ? 0 : 1)];
  const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  if (isSwap) options.push(distance(a.slice(0, -2), b.slice(0, -2)) + 1);
  return Math.min(...options);
}

test('a name is suggested exactly when it is at most two edits away', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, (name, candidate) => {
      expect(nearestName(name, [candidate]) !== undefined).toBe(distance(name, candidate) <= 2);
    }),
  );
});

test('a part of a name of several words is suggested, and nothing for an empty name', () => {
  const names = ['claude-code', 'codex', 'pi', 'json_path_match'];
  expect(suggestedName('claude', names)).toBe('claude-code');
  expect(suggestedName('json_path', names)).toBe('json_path_match');
  expect(suggestedName('', names)).toBeUndefined();
});
