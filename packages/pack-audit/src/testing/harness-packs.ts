import type { NaivePack } from './naive-document.js';

const INSTRUCTIONS =
  'Write a function add(a, b) that returns the sum of two integers, in the file solution.py.';
const SCRIPT = 'Write a module, solution.mjs, that exports a function add(a, b): the sum of two numbers.';
/** Whose tests each have a share of the score. */
const UNITTEST = {
  instructions: INSTRUCTIONS,
  config: {
    harness: { adapter: 'unittest', tests: 'tests', code: ['solution.py'] },
    scoring: 'fraction_passed',
  },
};
const NODE_TEST = {
  ...{ instructions: SCRIPT, output: 'solution.mjs', requires: ['node'] },
  config: {
    harness: { adapter: 'node_test', tests: 'tests', code: ['solution.mjs'] },
    scoring: 'fraction_passed',
  },
};

/**
 * Packs that are graded by the harness of the product, by its adapters; those that need a compiler have its package. A test of
 * results or members is at least a tenth of the score, which is the least that counts as a gain.
 */
export const HARNESS_PACKS: Readonly<Record<string, NaivePack>> = {
  unittest: {
    instructions: INSTRUCTIONS,
    config: { harness: { adapter: 'unittest', tests: 'tests', code: ['solution.py'] } },
    grader: {
      'tests/test_add.py': `import unittest
from solution import add
class Add(unittest.TestCase):
    def test_small(self): self.assertEqual(add(1, 2), 3)
`,
    },
  },
  unittest_of_results: {
    ...UNITTEST,
    grader: {
      'tests/test_add.py': `import unittest
from solution import add
class Results(unittest.TestCase):
    def test_items(self):
        got = add([1, 2])
        self.assertEqual(len(got), 2)
        for each, wanted in zip(got, [2, 4]): self.assertEqual(each, wanted)
    def test_member(self):
        got = add(1, 2)
        self.assertGreater(got.total, 2.9)
        self.assertLess(got.total, 3.1)
    def test_bounds(self):
        got = add(1, 2)
        self.assertTrue(2.9 < got < 3.1)
    def test_map(self):
        for got, wanted in zip(map(add, [1, 5], [2, 5]), [3, 10]): self.assertEqual(got, wanted)
    def test_callable(self):
        got = add(1, 2)
        self.assertEqual(got() if callable(got) else got, 3)
    def test_truth(self):
        got = add(1, 2)
        self.assertIsInstance(got, bool)
        self.assertEqual(got, False)
    def test_text(self):
        got = add("a", "b")
        self.assertIsInstance(got, str)
        self.assertTrue(got.startswith("sum: a"))
    def test_list(self):
        got = add(1, 2)
        self.assertIsInstance(got, list)
        self.assertIn(3, got)
    def test_mapping(self):
        got = add(1, 2)
        self.assertIsInstance(got, dict)
        self.assertIn("sum", got)
    def test_entries(self):
        got = add([1, 2])
        self.assertEqual(len(got), 2)
        for key, each in got.items(): self.assertEqual(key, each)
`,
    },
  },
  unittest_of_members: {
    ...UNITTEST,
    grader: {
      'tests/test_add.py': `import unittest
from unittest.mock import Mock
from solution import add
class Members(unittest.TestCase):
    def test_start(self):
        self.assertTrue(add("a", "b").startswith("sum: a"))
    def test_mock(self):
        log = Mock()
        add(1, 2, log)
        log.write.assert_called_once_with(3)
`,
    },
  },
  node_test_of_results: {
    ...NODE_TEST,
    grader: {
      'tests/add.test.mjs': `import assert from 'node:assert';
import { test } from 'node:test';
import { add } from '../solution.mjs';
test('items', () => {
  const got = add([1, 2]);
  assert.equal(got.length, 2);
  let at = 0;
  for (const each of got) assert.equal(each, 2 * ++at);
});
test('items of a method', () => {
  const got = add([1, 2]);
  assert.equal(got.length, 2);
  got.forEach((each, at) => assert.equal(each, 2 * (at + 1)));
});
test('entries', () => {
  const got = add([1, 2]);
  assert.equal(got.length, 2);
  for (const [at, each] of got.entries()) assert.equal(each, 2 * (at + 1));
});
test('a member', () => {
  const got = add(1, 2);
  assert.ok(got.total > 2.9);
  assert.ok(got.total < 3.1);
});
test('bounds', () => {
  const got = add(1, 2);
  assert.ok(got > 2.9 && got < 3.1);
});
test('a call', () => assert.equal(add(1)(2), 3));
test('a promise', async () => assert.equal(await add(1, 2), 3));
`,
    },
  },
  node_test_of_members: {
    ...NODE_TEST,
    grader: {
      'tests/add.test.mjs': `import assert from 'node:assert';
import { test } from 'node:test';
import { add } from '../solution.mjs';
test('a text', () => assert.ok(add('a', 'b').startsWith('sum: a')));
test('a list', () => {
  const got = add(1, 2);
  assert.ok(Array.isArray(got) && got.includes(3));
});
test('a map', () => {
  const got = add(1, 2);
  assert.ok(got instanceof Map && got.has('sum'));
});
test('names', () => {
  const got = add(1, 2);
  for (const name of ['sum', 'count']) assert.ok(name in got && got[name]);
});
`,
    },
  },
  calls: {
    instructions: INSTRUCTIONS,
    config: {
      harness: { adapter: 'calls', tests: 'tests.json', code: ['solution.py'], function: 'add' },
    },
    grader: { 'tests.json': [{ arguments: [1, 2], value: 3 }] },
  },
  cases: {
    instructions: 'Write a program, solution.py, that prints the lines of its standard input in order.',
    config: { harness: { adapter: 'cases', tests: 'tests.json', command: ['python3', 'solution.py'] } },
    grader: { 'tests.json': [{ input: '2\n1\n', output: '1\n2\n' }] },
  },
  node_test: {
    instructions: SCRIPT,
    output: 'solution.mjs',
    requires: ['node'],
    config: { harness: { adapter: 'node_test', tests: 'tests', code: ['solution.mjs'] } },
    grader: {
      'tests/add.test.mjs': `import assert from 'node:assert';
import { test } from 'node:test';
import { add } from '../solution.mjs';
test('small', () => assert.strictEqual(add(1, 2), 3));
`,
    },
  },
  cargo_test: {
    instructions: 'Write a crate sums (Cargo.toml, src/lib.rs) with pub fn add(a: i64, b: i64) -> i64.',
    output: 'src/lib.rs',
    packages: ['cargo'],
    config: { harness: { adapter: 'cargo_test', tests: 'tests', code: ['.'] }, timeout_ms: 180_000 },
    grader: {
      'tests/interface.rs': '#![crate_name = "sums"]\npub fn add(a: i64, b: i64) -> i64;\n',
      'tests/add.rs': '#[test]\nfn small() {\n    assert_eq!(sums::add(1, 2), 3);\n}\n',
    },
  },
};

export function harnessPack(adapter: string): NaivePack {
  const pack = HARNESS_PACKS[adapter];
  if (!pack) throw new Error(`there is no pack of the adapter ${adapter}`);
  return pack;
}
