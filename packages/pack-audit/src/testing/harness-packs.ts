import type { NaivePack } from './naive-document.js';

const INSTRUCTIONS =
  'Write a function add(a, b) that returns the sum of two integers, in the file solution.py.';

/** Packs that are graded by the harness of the product, by its adapters; those that need a compiler have its package. */
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
    instructions: 'Write a module, solution.mjs, that exports a function add(a, b): the sum of two numbers.',
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
