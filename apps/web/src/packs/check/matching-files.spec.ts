import { describe, expect, test } from '@jest/globals';
import { matchFiles, withFiles } from './matching-files.js';

function match(wanted: string[], given: string[]): Record<string, string> {
  return Object.fromEntries(matchFiles(wanted, given, (path) => path));
}

describe('files beside a pack', () => {
  test('a file is matched to the path with its name', () => {
    expect(match(['data/sales.csv'], ['sales.csv', 'notes.txt'])).toEqual({ 'data/sales.csv': 'sales.csv' });
  });

  test('files of a folder are distinguished by their paths when their names are equal', () => {
    expect(match(['a/x.txt', './b/x.txt'], ['pack/a/x.txt', 'pack/b/x.txt'])).toEqual({
      'a/x.txt': 'pack/a/x.txt',
      './b/x.txt': 'pack/b/x.txt',
    });
  });

  test('a name that matches two files is matched to neither', () => {
    expect(match(['x.txt'], ['a/x.txt', 'b/x.txt'])).toEqual({});
  });

  test('part of a name does not match', () => {
    expect(match(['sales.csv'], ['old-sales.csv'])).toEqual({});
  });

  test('a file given again replaces the earlier one', () => {
    const old = [
      { path: 'a.txt', edition: 1 },
      { path: 'b.txt', edition: 1 },
    ];
    const given = withFiles(old, [{ path: 'a.txt', edition: 2 }], ({ path }) => path);
    expect(given).toEqual([
      { path: 'b.txt', edition: 1 },
      { path: 'a.txt', edition: 2 },
    ]);
    expect(matchFiles(['a.txt'], given, ({ path }) => path).get('a.txt')?.edition).toBe(2);
  });
});
