import { expect, test } from '@jest/globals';
import { readNaive } from '../testing/naive-document.js';
import { noteObjects } from './deciding-objects.js';

async function notes(file: string, text: string): Promise<string[]> {
  const pack = await readNaive('objects', {
    ...{ instructions: 'Write a trie.', command: 'true', grader: { [file]: text } },
  });
  return noteObjects(pack).map(({ code, severity, message }) => `${severity} ${code} ${message}`);
}

test.each([
  ['test_trie.py', 'self.assertTrue(trie.has("a"))', 'self.assertFalse(trie.has("b"))'],
  ['test_trie.py', 'assert trie.has("a")', 'assert not trie.has("b")'],
  [
    'test_report.py',
    'assert report(3).startswith("Total: 3"), "no"',
    'assert not report(4).startswith("Total: 3")',
  ],
  ['trie.test.mjs', 'assert.ok(trie.has("a"));', 'assert.ok(!trie.has("b"));'],
  ['trie.test.mjs', 'assert(trie.has("a"));', 'assert.equal(trie.has("b"), false);'],
  ['trie.test.js', 'assert.strictEqual(trie.has("a"), true);', 'assert.strictEqual(trie.has("b"), false);'],
  ['trie.test.ts', 'expect(trie.has("a")).toBe(true);', 'expect(trie.has("b")).toBe(false);'],
])('In %s, `%s` alone has a note, and beside `%s` has none.', async (file, agrees, refuses) => {
  const [note, ...others] = await notes(file, `${agrees}\n`);
  expect(note).toMatch(new RegExp(`^note object_decides A test in ${file} passes where .* agrees: .*\\(`));
  expect(others).toEqual([]);
  expect(await notes(file, `${agrees}\n${refuses}\n`)).toEqual([]);
});

test('Comparisons with values, functions of modules and calls without an argument have no note.', async () => {
  const text = `import solution
assert trie.count("a") == 3
assert solution.is_prime(7)
assert trie.empty()
self.assertEqual(trie.get("a"), True and 1)
`;
  expect(await notes('test_a.py', text)).toEqual([]);
  expect(await notes('cases.txt', 'assert trie.has("a")')).toEqual([]);
});
