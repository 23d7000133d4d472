import { existsSync } from 'node:fs';
import type { SandboxSession } from '@agentclash/sandbox';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withHarness } from '../verifier/grading-harness.js';
import { AttemptHarness } from './attempt-harness.js';
import { GO_BROKEN, GO_CHEATS, GO_HONEST, GO_TESTS } from './go-cheats.js';
import { GO_TYPES } from './go-packages.js';
import { NODE_BROKEN, NODE_CHEATS, NODE_HONEST } from './node-cheats.js';
import { NODE_ERRORS } from './node-errors.js';
import { NODE_LATER } from './node-later.js';
import { NODE_LIVE } from './node-live.js';
import { NODE_OBJECTS, NODE_REQUIRED, NODE_VALUES } from './node-modules.js';
import { NODE_READS } from './node-reads.js';
import { BROKEN, type CheatFiles, HONEST, PYTHON_CHEATS } from './python-cheats.js';
import { PYTHON_CROSSING } from './python-crossing.js';
import { PYTHON_OBJECTS } from './python-objects.js';
import { PYTHON_VALUES } from './python-values.js';
import { PYTHON_VARIANTS } from './python-variants.js';
import { RUST_BROKEN, RUST_CHEATS, RUST_HONEST, RUST_TESTS } from './rust-cheats.js';
import { RUST_TYPES } from './rust-crates.js';

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
const NODE_TEST = `
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { describe, it, test } from 'node:test';
import { add } from '../solution.mjs';
import { pairs } from './pairs.mjs';

test('small', () => assert.strictEqual(add(17, 25), 42));
test('negative', () => assert.deepStrictEqual({ sum: add(-40, 3) }, { sum: -37 }));
describe('others', () => {
  it('large', () => assert.equal(add(100000, 1), 100001));
  it('fraction', async () => {
    for (const [a, b, sum] of pairs) assert.equal(add(a, b), sum);
  });
  it('mixed', () => assert.throws(() => add('a', 1), TypeError));
});
test('a file', async () => {
  assert.equal(add(5, 6), Number(readFileSync(new URL('./sum.txt', import.meta.url), 'utf8')));
});
test('an error', () => assert.throws(() => add('a', 1)));
test('a module', async () => {
  add(1, 2);
  await assert.rejects(import('./later.mjs').then((loaded) => loaded.check(add)), /at the top of a test|Cannot find/);
  assert.equal(add(1, 2), 3);
});
`;
const CALLS = [
  { arguments: [17, 25], value: 42 },
  { arguments: [-40, 3], value: -37 },
  { arguments: [100000, 1], value: 100001 },
  { arguments: [0.5, 0.25], value: 0.75 },
  { arguments: ['a', 1], raises: 'TypeError' },
];

const PYTHON = { count: 5, wrong: 2, honest: HONEST, broken: BROKEN, cheats: PYTHON_CHEATS };
const NODE = { count: 8, wrong: 3, honest: NODE_HONEST, broken: NODE_BROKEN, cheats: NODE_CHEATS };

const GO = { count: 4, wrong: 1, honest: GO_HONEST, broken: GO_BROKEN, cheats: GO_CHEATS };

const RUST = { count: 6, wrong: 1, honest: RUST_HONEST, broken: RUST_BROKEN, cheats: RUST_CHEATS };

const MISSING: { broken: CheatFiles; cheats: Record<string, CheatFiles> } = { broken: {}, cheats: {} };

const NODE_WORDS = 'node_test --tests tests --code solution.mjs';

const ADAPTERS = {
  'node_test of values': {
    ...NODE_VALUES,
    ...MISSING,
    wrong: NODE_VALUES.count,
    words: NODE_WORDS,
  },
  'node_test of objects': { ...NODE_OBJECTS, words: NODE_WORDS },
  'node_test of errors': { ...NODE_ERRORS, words: NODE_WORDS },
  'node_test of later calls': { ...NODE_LATER, words: NODE_WORDS },
  'node_test of live exports': { ...NODE_LIVE, words: NODE_WORDS },
  'node_test of reads': { ...NODE_READS, words: NODE_WORDS },
  'node_test of a required module': {
    ...NODE_REQUIRED,
    ...MISSING,
    wrong: NODE_REQUIRED.count,
    words: 'node_test --tests tests --code lib/solution.js',
  },
  node_test: {
    ...NODE,
    tests: {
      'tests/add.test.mjs': NODE_TEST,
      'tests/sum.txt': '11',
      'tests/later.mjs': 'export const check = () => {};\n',
      'tests/pairs.mjs': 'export const pairs = [[0.5, 0.25, 0.75], [1.5, 1, 2.5]];\n',
    },
    words: NODE_WORDS,
  },
  go_test: { ...GO, tests: GO_TESTS, words: 'go_test --tests tests --code .' },
  'go_test of values': {
    ...GO_TYPES,
    ...MISSING,
    wrong: GO_TYPES.count,
    words: 'go_test --tests tests --code lib --trust arguments',
  },
  cargo_test: { ...RUST, tests: RUST_TESTS, words: 'cargo_test --tests tests --code .' },
  'cargo_test of values': {
    ...RUST_TYPES,
    ...MISSING,
    wrong: RUST_TYPES.count,
    words: 'cargo_test --tests tests --code crates/geometry',
  },
  unittest: {
    ...PYTHON,
    tests: { 'tests/test_add.py': UNITTEST },
    words: 'unittest --tests tests --code solution.py',
  },
  'unittest of objects': { ...PYTHON_OBJECTS, words: 'unittest --tests tests --code solution.py' },
  'unittest of crossing': { ...PYTHON_CROSSING, words: 'unittest --tests tests --code solution.py' },
  'unittest of variants': { ...PYTHON_VARIANTS, words: 'unittest --tests tests --code solution.py' },
  'unittest of values': { ...PYTHON_VALUES, words: 'unittest --tests tests --code solution.py' },
  calls: {
    ...PYTHON,
    tests: { 'calls.json': JSON.stringify(CALLS) },
    words: 'calls --tests calls.json --code solution.py --function add',
  },
  pytest: {
    ...PYTHON,
    tests: {
      'tests/test_add.py': PYTEST,
      'tests/helper.py': 'SUMS = [(17, 25, 42), (-40, 3, -37), (100000, 1, 100001), (0.5, 0.25, 0.75)]\n',
    },
    words: 'pytest --tests tests --code solution.py',
  },
};
type Adapter = keyof typeof ADAPTERS;

const roots = ['/grader', '/workspace', '/tmp'];
/** For Go and Rust the tests and the code are compiled, on a machine that may be busy. */
const LIMIT_MS = 180_000;

/** A sandbox in which several solutions are graded. */
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
    leaseMs: 3_600_000,
  });
}

/** The sandbox of a describe block, which is ended with it. */
export function useSession(packages: string[] = []): () => SandboxSession {
  const harness = new AttemptHarness();
  let session: SandboxSession | undefined;
  beforeAll(async () => {
    await harness.open();
    session = await openSession(harness, packages);
  }, 120_000);
  afterAll(async () => {
    await session?.destroy();
    await harness.close();
  });
  return () => {
    if (session === undefined) throw new Error('the sandbox is not open');
    return session;
  };
}

/** Grades what an agent left as the verifier does, in a sandbox that several share one after another. */
export async function graded(
  session: SandboxSession,
  files: CheatFiles,
  { tests, words }: { tests: CheatFiles; words: string },
) {
  await session.exec(
    ['sh', '-c', 'chmod -R u+rwx /grader /workspace /tmp; rm -rf /grader/* /grader/.a* /workspace/* /tmp/*'],
    { roots },
  );
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

/** True where the sandboxes of a test have Go. */
export const hasGo = ['/usr/bin/go', '/usr/local/bin/go'].some((file) => existsSync(file));

/** True where the sandboxes of a test have Rust. */
export const hasRust = existsSync('/usr/bin/cargo');

/** The Debian package that the sandboxes lack for an adapter. */
function missingPackage(adapter: Adapter): string | undefined {
  if (adapter.startsWith('go_test') && !hasGo) return 'golang-go';
  return adapter.startsWith('cargo_test') && !hasRust ? 'cargo' : undefined;
}

/** Honest, broken and dishonest solutions, graded by an adapter in a real sandbox. */
export function harnessSuite(adapter: Adapter, cheats: readonly string[]): void {
  const missing = missingPackage(adapter);
  const title = `the adapter ${adapter}${missing ? ` (needs ${missing}, which is not installed)` : ''}`;
  (missing === undefined ? describe : describe.skip)(title, () => {
    const { honest, broken, cheats: all, count: tests, wrong } = ADAPTERS[adapter];
    const grader: { tests: CheatFiles; words: string; variants?: Record<string, CheatFiles> } =
      ADAPTERS[adapter];
    const session = useSession(adapter === 'pytest' ? ['python3-pytest'] : []);

    test(`an honest solution passes every test of ${adapter}`, async () => {
      const { stderr, ...result } = await graded(session(), honest, grader);
      expect({ ...result, stderr }).toEqual({ exitCode: 0, passed: tests, total: tests, stderr });
    });

    for (const [name, files] of Object.entries(grader.variants ?? {}))
      test(`an honest solution of another form passes every test of ${adapter}: ${name}`, async () => {
        const { stderr, ...result } = await graded(session(), files, grader);
        expect({ ...result, stderr }).toEqual({ exitCode: 0, passed: tests, total: tests, stderr });
      });

    test(`a broken solution passes the tests of ${adapter} that it is right for`, async () => {
      expect(await graded(session(), broken, grader)).toMatchObject({
        exitCode: 1,
        passed: tests - wrong,
        total: tests,
      });
    });

    if (cheats.length === 0) return;
    test.each(cheats)(`a cheat gains nothing from ${adapter}: %s`, async (name) => {
      const { exitCode, passed, stderr } = await graded(session(), all[name] ?? {}, grader);
      expect({ passed, stderr }).toEqual({ passed: 0, stderr });
      // Nor the code of an error of the pack, which would leave the attempt without a score.
      expect([0, 121]).not.toContain(exitCode);
    });
  });
}
