import { describe, expect, test } from '@jest/globals';
import { graded, hasGo, hasRust, useSession } from '../testing/harness-suite.js';

const TEST = `import unittest
from solution import add

class Add(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        add(1, 2)

    def test_sum(self):
        self.assertEqual(add(1, 2), 3)
`;
const TESTS = { 'tests/test_add.py': TEST };
const EXIT =
  'import sys\ndef add(a, b):\n    print("agentclash-grade: no", file=sys.stderr)\n    sys.exit(121)\n';

const OF_PACK = [
  {
    of: 'a wrong path',
    words: 'unittest --tests test --code solution.py',
    message: 'no tests at /grader/test',
  },
  { of: 'no pytest', words: 'pytest --tests tests --code solution.py', message: 'pytest is not installed' },
  { of: 'an unknown adapter', words: 'nose --tests tests', message: 'invalid choice' },
  { of: 'no JSON', words: 'calls --tests tests/test_add.py --code solution.py', message: 'is not JSON' },
  {
    of: 'no files of node:test',
    words: 'node_test --tests tests --code solution.mjs',
    message: 'there are no tests at',
  },
];
const WITHOUT_GO = { of: 'no Go', words: 'go_test --tests tests --code .', message: 'go is not installed' };
const WITHOUT_RUST = {
  of: 'no Rust',
  words: 'cargo_test --tests tests --code .',
  message: 'cargo is not installed: add cargo to additional_packages',
};

describe('a harness that cannot grade', () => {
  const session = useSession();

  test.each([...OF_PACK, ...(hasGo ? [] : [WITHOUT_GO]), ...(hasRust ? [] : [WITHOUT_RUST])])(
    'the exit code is 121 for the error of a pack, whatever the agent left: $of',
    async ({ words, message }) => {
      const tests = words.startsWith('node_test') ? { ...TESTS, 'tests/other.py': '' } : TESTS;
      for (const content of [EXIT, 'def add(a, b):\n    return a + b\n']) {
        const { exitCode, total, stderr } = await graded(
          session(),
          { 'solution.py': content },
          { tests, words },
        );
        const found = { exitCode, total, stderr };
        expect(found).toEqual({ exitCode: 121, total: 0, stderr: expect.stringContaining(message) });
      }
    },
  );

  test('the whole folder of the grader may be the tests: the harness in it is none of them', async () => {
    const words = 'unittest --tests . --code solution.py';
    const honest = { 'solution.py': 'def add(a, b):\n    return a + b\n' };
    expect(await graded(session(), honest, { tests: { 'test_add.py': TEST }, words })).toMatchObject({
      ...{ exitCode: 0, total: 1 },
    });
  });

  test('the exit code is never one that the code under test chose, not even by an exit in the set-up of a class', async () => {
    const words = 'unittest --tests tests --code solution.py';
    const { exitCode, total, stderr } = await graded(
      session(),
      { 'solution.py': EXIT },
      { tests: TESTS, words },
    );
    expect({ exitCode, total, stderr }).toEqual({ exitCode: 137, total: 0, stderr });
  });

  test('the exit code is another one for tests in the workspace, which an agent can remove', async () => {
    const words = 'unittest --tests /workspace/tests --code solution.py';
    expect(await graded(session(), {}, { tests: TESTS, words })).toMatchObject({
      ...{ exitCode: 120, stderr: expect.stringContaining('there are no tests at /workspace/tests') },
    });
  });

  test('the exit code is another one for a file of node:test that cannot be loaded, since it may need what an agent left', async () => {
    const file = "import { readFileSync } from 'node:fs';\nreadFileSync('/workspace/result.json');\n";
    const words = 'node_test --tests tests --code solution.mjs';
    expect(await graded(session(), {}, { tests: { 'tests/a.test.mjs': file }, words })).toMatchObject({
      ...{ exitCode: 120, stderr: expect.stringContaining('result.json') },
    });
  });
});
