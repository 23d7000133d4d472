import { describe, expect, test } from '@jest/globals';
import { EXAMPLE } from '../testing/example-pack.js';
import { quickFixes } from './quick-fix.js';
import { readPack } from './read-pack.js';

/** The text after every fix of its problems, from the end to the beginning. */
function fixed(text: string): string {
  const fixes = [...quickFixes(text, readPack(text).problems, readPack).values()];
  return fixes
    .toSorted((left, right) => right.from - left.from)
    .reduce((before, { from, to, replaced, insert }) => {
      expect(before.slice(from, to)).toBe(replaced);
      return before.slice(0, from) + insert + before.slice(to);
    }, text);
}

/** The example with a change, which must differ from it. */
function broken(from: string | RegExp, to: string): string {
  const text = EXAMPLE.replace(from, to);
  expect(text).not.toBe(EXAMPLE);
  return text;
}

describe('a fix replaces the misspelt name by the suggested one', () => {
  test.each([
    ['a key of the document', /^input_sets:/m, 'input_set:'],
    ['a key of a record', /family: demo/, 'famly: demo'],
    ['a value of a closed set', /difficulty: (\w+)/, 'difficulty: eazy'],
    ['a reference', /challenge_key: (\w+)/, 'challenge_key: $1x'],
  ])('%s is corrected, so that the problem is gone', (_name, from, to) => {
    const text = broken(from, to);
    const before = readPack(text).problems.filter(({ suggestion }) => suggestion !== undefined);
    expect(before).not.toEqual([]);
    expect(readPack(fixed(text)).problems).toEqual(readPack(EXAMPLE).problems);
  });

  test('the quotes of a corrected value stay, and line ends of two characters move no offset', () => {
    const text = broken(/difficulty: (\w+)/, 'difficulty: "eazy"').replaceAll('\n', '\r\n');
    expect(fixed(text)).toContain('difficulty: "easy", instructions: Repeat the prompt.}\r\n');
  });

  test('a boolean in words loses its quotes, because a text is no boolean', () => {
    const text = broken(/^version:\n/m, 'version:\n  tool_policy: {allow_shell: "true"}\n');
    expect(fixed(text)).toContain('tool_policy: {allow_shell: true}');
  });
});

describe('what is not offered', () => {
  test('a fix whose problem remains is not offered', () => {
    const text = broken(/^input_sets:/m, 'input_set:');
    const { problems } = readPack(text);
    expect(quickFixes(text, problems, readPack).size).toBe(1);
    expect(quickFixes(text, problems, () => ({ problems })).size).toBe(0);
  });

  test('a document with many misspelt names has a bounded number of fixes', () => {
    const many = Array.from({ length: 60 }, (_, index) => `family${index}: x, `).join('');
    const text = broken('pack: {', `pack: {${many}`);
    expect(readPack(text).problems.length).toBeGreaterThanOrEqual(60);
    let readings = 0;
    quickFixes(text, readPack(text).problems, (changed) => {
      readings += 1;
      return readPack(changed);
    });
    expect(readings).toBeLessThanOrEqual(20);
  });
});
