import { describe, expect, test } from '@jest/globals';
import { graded, useSession } from '../testing/harness-suite.js';

const SOLUTION = `
class Own:
    def __repr__(self):
        raise SystemExit(0)
    __str__ = __iter__ = __len__ = __repr__
class Words(list):
    def __iter__(self):
        raise SystemExit(0)
class Many(list):
    pass
shared = 0
for _ in range(9):
    shared = Many([shared] * 100)
def make(kind):
    return {
        'number': 4, 'fields': ['a,"b'], 'members': {'a': 1.5, 'b': None}, 'long': 'x' * 1000,
        'many': list(range(100000)), 'own': Own(), 'within': [1, Own()], 'words': Words([1]), 'shared': shared,
    }[kind]
`;

const EXPECTED: Record<string, string> = {
  number: 'make("number"): expected 3, got 4',
  fields: 'make("fields"): expected ["a", "b"], got ["a,\\"b"]',
  members: 'make("members"): expected {"a": 1}, got {"a": 1.5, "b": null}',
  long: `make("long"): expected "y", got "${'x'.repeat(98)}…`,
  many: `make("many"): expected [0], got ${JSON.stringify([...Array(40).keys()])
    .replaceAll(',', ', ')
    .slice(0, 99)}…`,
  own: 'make("own"): expected 3, got another value',
  within: 'make("within"): expected [1, 2], got another value',
  words: 'make("words"): expected [2], got [1]',
  shared: `make("shared"): expected 3, got ${`${'['.repeat(9)}${'0, '.repeat(30)}`.slice(0, 99)}…`,
};
const WANTED: Record<string, unknown> = {
  ...{
    number: 3,
    fields: ['a', 'b'],
    members: { a: 1 },
    long: 'y',
    many: [0],
    own: 3,
    within: [1, 2],
    words: [2],
    shared: 3,
  },
};

const reasonsOf = (stderr: string) =>
  Object.fromEntries(
    stderr.split('\n').flatMap((line) => {
      const [, name, reason] = /^failed: (\w+): (.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, reason]];
    }),
  );

describe('the reason of a failed test', () => {
  const session = useSession();

  test('a call names its arguments, the expected value and the returned one, unless that is an object of the code', async () => {
    const calls = Object.entries(WANTED).map(([name, value]) => ({ name, arguments: [name], value }));
    const { passed, stderr } = await graded(
      session(),
      { 'solution.py': SOLUTION },
      {
        tests: { 'calls.json': JSON.stringify(calls) },
        words: 'calls --tests calls.json --code solution.py --function make',
      },
    );
    expect(passed).toBe(0);
    expect(reasonsOf(stderr)).toEqual(EXPECTED);
  });

  test('a program names the expected output and what it printed', async () => {
    const cases = [
      { name: 'short', input: '1', output: '2\n' },
      { name: 'long', input: '9', output: 'a' },
    ];
    const { stderr } = await graded(
      session(),
      {
        'solution.py': "import sys\nn = int(input())\nsys.stdout.write('é\\n' * n if n < 2 else 'b' * 500)\n",
      },
      {
        tests: { 'cases.json': JSON.stringify(cases) },
        words: 'cases --tests cases.json --code . -- python3 solution.py',
      },
    );
    expect(reasonsOf(stderr)).toEqual({
      short: 'expected "2\\n", got "é\\n"',
      long: `expected "a", got "${'b'.repeat(98)}…`,
    });
  });
});
