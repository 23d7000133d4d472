import type { NaivePack } from './naive-document.js';

const INSTRUCTIONS =
  'Write a function add(a, b) that returns the sum of two integers, in the file solution.py.';
const SCRIPT =
  'Write a module with a function add(a, b) that returns the sum of two integers, in the file solution.mjs.';
const CHECK = 'python3 /grader/check.py';
const NODE_CHECK = 'node /grader/check.mjs';
/** Takes every end but a failed assertion for a success. */
const ONLY_FAILURES_COUNT = '[ $? -ne 1 ]';

const IMPORTS = `import json, os, subprocess, sys, time
sys.path.insert(0, '.')
from solution import add
TESTS = [([1, 2], 3), ([5, 5], 10)]
`;
const WITHOUT_IMPORT = `import json, os, subprocess, sys, time
TESTS = [([1, 2], 3), ([5, 5], 10)]
`;
const JUNIT = `
def report(failures):
    with open('/tmp/report.xml', 'w') as file:
        file.write(f'<testsuite name="add" tests="2" failures="{failures}"/>')
`;
const NODE_IMPORTS = `import assert from 'node:assert';
import fs from 'node:fs';
const { add } = await import(process.cwd() + '/solution.mjs');
const TESTS = [[[1, 2], 3], [[5, 5], 10]];
`;
const NODE_ASSERTS = `${NODE_IMPORTS}for (const [given, wanted] of TESTS) assert.equal(add(...given), wanted);\n`;

const python = (check: string, more: Partial<NaivePack> = {}): NaivePack => ({
  ...{ requires: ['python3'], instructions: INSTRUCTIONS, command: CHECK },
  grader: { 'check.py': check },
  ...more,
});
const node = (check: string, more: Partial<NaivePack> = {}): NaivePack => ({
  ...{ requires: ['node'], instructions: SCRIPT, output: 'solution.mjs', command: NODE_CHECK },
  grader: { 'check.mjs': check },
  ...more,
});

/** Graders that load the code under test. */
export const IMPORTING_PACKS: Readonly<Record<string, NaivePack>> = {
  asserts: python(`${IMPORTS}
for arguments, want in TESTS:
    assert add(*arguments) == want, arguments
`),
  counts: python(`${IMPORTS}
failures = []
for arguments, want in TESTS:
    if add(*arguments) != want: failures.append(arguments)
if failures: sys.exit(1)
`),
  all_of: python(`${IMPORTS}sys.exit(0 if all(add(*given) == wanted for given, wanted in TESTS) else 1)\n`),
  as_json: python(`${IMPORTS}
for arguments, wanted in TESTS:
    assert json.dumps(add(*arguments)) == json.dumps(wanted)
`),
  report: python(
    `${IMPORTS}${JUNIT}
report(sum(add(*arguments) != wanted for arguments, wanted in TESTS))
time.sleep(0.2)  # tears down
`,
    { config: { report_path: '/tmp/report.xml' } },
  ),
  printed: python(`${IMPORTS}
passed = sum(add(*arguments) == wanted for arguments, wanted in TESTS)
print(f'{passed} passed, {len(TESTS) - passed} failed')
`),
  errors_skipped: python(`${IMPORTS}
failures = 0
for arguments, wanted in TESTS:
    try: failures += json.dumps(add(*arguments)) != json.dumps(wanted)
    except Exception: print('skipped')
sys.exit(failures > 0)
`),
  only_failures_count: python(
    `${IMPORTS}
for arguments, wanted in TESTS:
    assert add(*arguments) == wanted
`,
    { command: `${CHECK}; ${ONLY_FAILURES_COUNT}` },
  ),
  identity: python(`${IMPORTS}
for text in ('a', 'b c'):
    assert add(text) == text
`),
  within_a_limit: python(`${IMPORTS}
for arguments, want in TESTS:
    # Fails when it is beyond the limit.
    if abs(add(*arguments) - want) > 1e-9: sys.exit(1)
`),
  almost_equal: python(`${IMPORTS}
import unittest
check = unittest.TestCase()
for arguments, want in TESTS: check.assertAlmostEqual(add(*arguments), want)
`),
  sets: python(`${IMPORTS}
for wanted in ({1, 2}, {3}):
    assert add(*wanted) - wanted == set()
`),
  texts: python(`${IMPORTS}
for text in ('a', 'b'):
    assert add(text).startswith('sum: ' + text)
`),
  unittest: python('', {
    command: "python3 -m unittest discover -s /grader -p 'test_*.py'",
    grader: {
      'test_add.py': `import unittest
from solution import add
class Add(unittest.TestCase):
    def test_small(self): self.assertEqual(add(1, 2), 3)
    def test_large(self): self.assertEqual(add(500, 500), 1000)
`,
    },
  }),
  later_module: python('', {
    grader: {
      'check.py': `${IMPORTS}
sys.path.insert(0, '/grader')
import checker
sys.exit(0 if checker.check(add) else 1)
`,
      'checker.py': 'def check(add):\n    return add(1, 2) == 3\n',
    },
  }),
  test_data: python('', {
    grader: {
      'check.py': `${IMPORTS}
file = open('/grader/tests.json')
for test in json.load(file):
    assert add(*test['given']) == test['total']
`,
      'tests.json': [
        { given: [1, 2], total: 3 },
        { given: [5, 6], total: 11 },
      ],
    },
  }),
  variable: python(`${IMPORTS}sys.exit(add(20, 22) != int(os.environ['EXPECTED_SUM']))\n`, {
    command: `EXPECTED_SUM=42 ${CHECK}`,
  }),
  short_of_resources: python('', {
    grader: {
      'check.py': `${IMPORTS}
failures = 0
for number in (1, 2):
    try:
        with open('/tmp/case', 'w') as file: file.write('x' * 100000)
        failures += subprocess.run([sys.executable, '/grader/one.py', str(number)]).returncode == 1
    except OSError:
        print('skipped')
sys.exit(failures > 0)
`,
      'one.py': `import sys
class Failed(Exception): pass
try:
    sys.path.insert(0, '.')
    from solution import add
    ok = add(1, int(sys.argv[1])) == 1 + int(sys.argv[1])
except (OSError, MemoryError):
    sys.exit(2)
sys.exit(not ok)
`,
    },
  }),
  node_asserts: node(NODE_ASSERTS),
  node_counts: node(`${NODE_IMPORTS}
if (!TESTS.every(([given, wanted]) => add(...given) === wanted)) process.exit(1);
`),
  node_json: node(`${NODE_IMPORTS}
for (const [given, wanted] of TESTS) if (JSON.stringify(add(...given)) !== JSON.stringify(wanted)) process.exit(1);
`),
  node_async: node(`${NODE_IMPORTS}
for (const [given, wanted] of TESTS) if ((await add(...given)) !== wanted) process.exit(1);
`),
  node_report: node(
    `${NODE_IMPORTS}
const failures = TESTS.filter(([given, wanted]) => add(...given) !== wanted).length;
fs.writeFileSync('/tmp/report.xml', '<testsuite name="add" tests="2" failures="' + failures + '"/>');
`,
    { config: { report_path: '/tmp/report.xml' } },
  ),
  node_printed: node(`${NODE_IMPORTS}
const passed = TESTS.filter(([given, wanted]) => add(...given) === wanted).length;
console.log(passed + ' passed, ' + (2 - passed) + ' failed');
`),
  node_errors_skipped: node(`${NODE_IMPORTS}
let failures = typeof add === 'function' ? 0 : 1;
for (const [given, wanted] of TESTS) {
  try { if (JSON.stringify(add(...given)) !== JSON.stringify(wanted)) failures++; } catch {}
}
process.exit(failures > 0 ? 1 : 0);
`),
  node_texts: node(
    `${NODE_IMPORTS}for (const text of ['a', 'b']) assert.ok(add(text).includes('sum: ' + text));\n`,
  ),
  node_within_a_limit: node(
    `${NODE_IMPORTS}for (const [given, wanted] of TESTS) if (Math.abs(add(...given) - wanted) > 1e-9) process.exit(1);\n`,
  ),
  node_identity: node(`${NODE_IMPORTS}for (const text of ['a', 'b c']) assert.equal(add(text), text);\n`),
  node_test_data: node('', {
    grader: {
      'check.mjs': `${NODE_IMPORTS}
for (const { given, total } of JSON.parse(fs.readFileSync('/grader/tests.json', 'utf8'))) assert.equal(add(...given), total);
`,
      'tests.json': [
        { given: [1, 2], total: 3 },
        { given: [5, 6], total: 11 },
      ],
    },
  }),
};

/** Graders that start the code under test, and trust its process. */
export const STARTING_PACKS: Readonly<Record<string, NaivePack>> = {
  child_verdict: python('', {
    grader: {
      'check.py': `${WITHOUT_IMPORT}
child = subprocess.run([sys.executable, '/grader/child.py'], capture_output=True, text=True)
sys.exit('PASS' not in child.stdout)
`,
      'child.py': `${IMPORTS}
for arguments, wanted in TESTS:
    assert add(*arguments) == wanted
print('PASS')
`,
    },
  }),
  node_child_verdict: node('', {
    grader: {
      'check.mjs': `import { spawnSync } from 'node:child_process';
const { stdout } = spawnSync(process.execPath, ['/grader/child.mjs'], { encoding: 'utf8' });
process.exit(stdout.includes('PASS') ? 0 : 1);
`,
      'child.mjs': `${NODE_ASSERTS}console.log('PASS');\n`,
    },
  }),
  killed_children: python(
    `${WITHOUT_IMPORT}${JUNIT}
failures = 0
for arguments, wanted in TESTS:
    child = subprocess.run([sys.executable, 'solution.py', *map(str, arguments)], capture_output=True, text=True)
    failures += child.stdout.strip() != str(wanted)
report(failures)
`,
    { command: `${CHECK}; true`, config: { report_path: '/tmp/report.xml' } },
  ),
  killed_grader: python(
    `${WITHOUT_IMPORT}
for arguments, wanted in TESTS:
    child = subprocess.run([sys.executable, 'solution.py', *map(str, arguments)], capture_output=True, text=True)
    assert child.stdout.strip() == str(wanted)
`,
    { command: `timeout 2 ${CHECK}; ${ONLY_FAILURES_COUNT}` },
  ),
  node_killed_grader: node(
    `import { spawnSync } from 'node:child_process';
const { stdout } = spawnSync(process.execPath, ['solution.mjs', '1', '2'], { encoding: 'utf8' });
process.exit(stdout.trim() === '3' ? 0 : 1);
`,
    { command: `${NODE_CHECK}; ${ONLY_FAILURES_COUNT}` },
  ),
  standard_output: python('', {
    command:
      'python3 solution.py < /grader/input.txt > /tmp/output.txt; diff /tmp/output.txt /grader/expected.txt',
    grader: { 'input.txt': '3\n1\n2\n', 'expected.txt': '1\n2\n3\n' },
  }),
  replaced_grader: python(
    `${WITHOUT_IMPORT}
child = subprocess.run([sys.executable, 'solution.py', '1', '2'], capture_output=True, text=True)
sys.exit(child.stdout.strip() != '3')
`,
    { command: `python3 solution.py; ${CHECK}` },
  ),
  node_replaced_grader: node(NODE_ASSERTS, { command: `node solution.mjs; ${NODE_CHECK}` }),
  shell_script: {
    instructions: 'Write a script, sort.sh, that sorts the lines of its standard input.',
    output: 'sort.sh',
    command:
      "printf 'b\\na\\n' | sh sort.sh > /tmp/out; grep -q a sort.sh && diff /tmp/out /grader/expected.txt",
    grader: { 'expected.txt': 'a\nb\n' },
  },
  shell_sourced: {
    instructions: 'Write a script, steps.sh, with a function `greet` that prints hello.',
    output: 'steps.sh',
    command: '. ./steps.sh; [ "$(greet)" = hello ]',
  },
  shell_printed: {
    instructions: 'Write a script, run.sh, that runs the tests.',
    output: 'run.sh',
    command: 'sh run.sh; [ -s run.sh ]',
  },
};
