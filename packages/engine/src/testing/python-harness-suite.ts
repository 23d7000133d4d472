import type { SandboxSession } from '@agentclash/sandbox';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withHarness } from '../verifier/grading-harness.js';
import { AttemptHarness } from './attempt-harness.js';
import { BROKEN, type CheatFiles, HONEST, PYTHON_CHEATS } from './python-cheats.js';

const UNITTEST = `
import unittest
import solution
from solution import add

class Sums(unittest.TestCase):
    def test_small(self):
        self.assertEqual(add(17, 25), 42)
    def test_negative(self):
        self.assertEqual(solution.add(-40, 3), -37)
    def test_large(self):
        self.assertEqual(add(100000, 1), 100001)
    def test_fraction(self):
        self.assertEqual(add(0.5, 0.25), 0.75)
    def test_mixed(self):
        with self.assertRaises(TypeError):
            add("a", 1)
`;
const PYTEST = `
import pytest
import solution
from solution import add
from helper import SUMS

@pytest.mark.parametrize("a, b, total", SUMS)
def test_sum(a, b, total):
    assert add(a, b) == total

def test_mixed():
    with pytest.raises(TypeError):
        solution.add("a", 1)
`;
const CALLS = [
  { arguments: [17, 25], value: 42 },
  { arguments: [-40, 3], value: -37 },
  { arguments: [100000, 1], value: 100001 },
  { arguments: [0.5, 0.25], value: 0.75 },
  { arguments: ['a', 1], raises: 'TypeError' },
];

const ADAPTERS = {
  unittest: { tests: { 'tests/test_add.py': UNITTEST }, words: 'unittest --tests tests --code solution.py' },
  calls: {
    tests: { 'calls.json': JSON.stringify(CALLS) },
    words: 'calls --tests calls.json --code solution.py --function add',
  },
  pytest: {
    tests: {
      'tests/test_add.py': PYTEST,
      'tests/helper.py': 'SUMS = [(17, 25, 42), (-40, 3, -37), (100000, 1, 100001), (0.5, 0.25, 0.75)]\n',
    },
    words: 'pytest --tests tests --code solution.py',
  },
};
export type PythonAdapter = keyof typeof ADAPTERS;

const roots = ['/grader', '/workspace', '/tmp'];
const LIMIT_MS = 20_000;

async function openSession(harness: AttemptHarness, packages: string[]): Promise<SandboxSession> {
  const MIB = 1_048_576;
  return harness.sandboxes.create({
    limits: { cpu: 1, memoryBytes: 1_024 * MIB, pids: 256, workspaceBytes: 64 * MIB },
    filesystem: {
      workingDirectory: '/workspace',
      readableRoots: ['/workspace'],
      writableRoots: ['/workspace'],
      stagedRoots: ['/grader'],
    },
    packages,
    labels: { runId: 'harness', attemptId: 'harness' },
    leaseMs: 600_000,
  });
}

/** Grades what an agent left as the verifier does, in a sandbox that several share one after another. */
async function graded(session: SandboxSession, files: CheatFiles, adapter: PythonAdapter) {
  await session.exec(
    ['sh', '-c', 'chmod -R u+rwx /grader /workspace /tmp; rm -rf /grader/* /grader/.a* /workspace/* /tmp/*'],
    { roots },
  );
  const { tests, words } = ADAPTERS[adapter];
  for (const [name, content] of Object.entries(files))
    await session.writeFile(`/workspace/${name}`, content, { roots });
  for (const [name, content] of Object.entries(tests))
    await session.writeFile(`/grader/${name}`, content, { roots });
  const argv = await withHarness(`exec agentclash-grade ${words} --cpu-seconds 3`, {
    sandbox: session,
    roots,
  });
  const { exitCode, stderr } = await session.exec(argv, { timeoutMs: LIMIT_MS, roots });
  await session.killAll();
  const isKilled = exitCode > 128;
  const report = isKilled ? null : await session.readFile('/grader/report.xml', { roots }).catch(() => null);
  const text = report?.data.toString() ?? '';
  const [total, failed] = ['tests', 'failures'].map((name) =>
    Number(new RegExp(`${name}="(\\d+)"`).exec(text)?.[1] ?? 0),
  );
  return { exitCode, passed: (total ?? 0) - (failed ?? 0), total, stderr: stderr.toString() };
}

/** Honest, broken and dishonest solutions, graded by an adapter in a real sandbox. */
export function pythonHarnessSuite(adapter: PythonAdapter, cheats: readonly string[]): void {
  describe(`the adapter ${adapter}`, () => {
    const harness = new AttemptHarness();
    let session: SandboxSession;
    beforeAll(async () => {
      await harness.open();
      session = await openSession(harness, adapter === 'pytest' ? ['python3-pytest'] : []);
    }, 120_000);
    afterAll(async () => {
      await session?.destroy();
      await harness.close();
    });

    test(`an honest solution passes every test of ${adapter}`, async () => {
      expect(await graded(session, HONEST, adapter)).toMatchObject({ exitCode: 0, passed: 5, total: 5 });
    });

    test(`a broken solution passes the tests of ${adapter} that it is right for`, async () => {
      expect(await graded(session, BROKEN, adapter)).toMatchObject({ exitCode: 1, passed: 3, total: 5 });
    });

    test.each(cheats)(`a cheat gains nothing from ${adapter}: %s`, async (name) => {
      const { exitCode, passed, stderr } = await graded(session, PYTHON_CHEATS[name] ?? {}, adapter);
      expect({ passed, stderr }).toEqual({ passed: 0, stderr });
      expect(exitCode).not.toBe(0);
    });
  });
}
