import { describe, expect, test } from '@jest/globals';
import { graded, hasRust, useSession } from '../testing/harness-suite.js';
import type { CheatFiles } from '../testing/python-cheats.js';

const TEST = '#[test]\nfn adds() { assert_eq!(sums::add(1, 2), 3); }\n';
const declared = (text: string) => ({
  'tests/interface.rs': `#![crate_name = "sums"]\n${text}\n`,
  'tests/a.rs': TEST,
});
const ADD = 'pub fn add(a: i64, b: i64) -> i64;';

const ERRORS: { of: string; tests: CheatFiles; message: string }[] = [
  { of: 'no interface', tests: { 'tests/a.rs': TEST }, message: 'there is no interface.rs beside the tests' },
  {
    of: 'an interface without a crate',
    tests: { ...declared(ADD), 'tests/interface.rs': ADD },
    message: 'does not name the crate',
  },
  {
    of: 'a generic function',
    tests: declared('pub fn largest<T: Ord>(items: &[T]) -> T;'),
    message: 'largest cannot be given to another process: a generic function',
  },
  {
    of: 'a generic type',
    tests: declared('pub struct Stack<T> { pub items: Vec<T> }'),
    message: 'Stack cannot be given to another process: a generic type',
  },
  {
    of: 'a closure',
    tests: declared('pub fn each(f: impl Fn(i64) -> i64);'),
    message: 'each cannot be given to another process: a type parameter',
  },
  {
    of: 'a trait object',
    tests: declared('pub fn shape() -> Box<dyn Shape>;'),
    message: 'shape cannot be given to another process: a trait object',
  },
  {
    of: 'a trait',
    tests: declared('pub trait Shape {}'),
    message: 'Shape cannot be given to another process: a trait',
  },
  {
    of: 'a reference to an object',
    tests: declared('pub type Stack; pub fn top() -> &Stack;'),
    message: 'top cannot be given to another process: a reference to the object Stack',
  },
  { of: 'a body', tests: declared('pub fn add(a: i64, b: i64) -> i64 { a + b }'), message: 'interface.rs' },
  {
    of: 'a type that is not declared',
    tests: declared('pub fn add(a: Number) -> i64;'),
    message: 'the interface cannot be compiled: lib.rs',
  },
  {
    of: 'a function that is not declared',
    tests: declared('pub fn sum(a: i64) -> i64;'),
    message: 'the tests do not compile with interface.rs: a.rs:2',
  },
  {
    of: 'no tests',
    tests: { ...declared(ADD), 'tests/a.rs': 'pub fn adds() {}' },
    message: 'there are no functions with #[test]',
  },
];

(hasRust ? describe : describe.skip)('Rust tests that cannot be graded (needs cargo)', () => {
  const session = useSession();

  test.each(ERRORS)('$of ends the harness with 121 and the reason', async ({ tests, message }) => {
    const { exitCode, total, stderr } = await graded(
      session(),
      {},
      { tests, words: 'cargo_test --tests tests --code .' },
    );
    expect({ exitCode, total, stderr }).toEqual({
      exitCode: 121,
      total: 0,
      stderr: expect.stringContaining(message),
    });
  });
});
