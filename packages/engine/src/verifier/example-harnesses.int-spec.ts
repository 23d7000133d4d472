import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan, graderPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

const repository = path.resolve(import.meta.dirname, '../../../..');
const read = (...names: string[]) => readFileSync(path.join(repository, ...names), 'utf8');

/** The hidden files of the case of an example pack. */
function hiddenFiles(pack: string, caseKey: string) {
  const folder = 'examples/challenge-packs';
  const { pack: document } = readPack(Buffer.from(read(folder, `${pack}.yaml`)));
  const found = document?.input_sets[0]?.cases?.find(({ case_key }) => case_key === caseKey);
  if (!found?.expectations) throw new Error(`${pack} has no case ${caseKey}`);
  return found.expectations.map(({ key, value }) => ({
    key,
    value: value ?? read(folder, pack, key),
  }));
}

/** The tests of the case sort of the guide's pack. */
const GUIDE_TESTS = [
  {
    key: 'tests.json',
    value: [
      { input: '3\n1\n', output: '1\n3\n' },
      { input: '10\n9\n', output: '9\n10\n' },
      { input: '2\n2\n', output: '2\n2\n' },
    ],
  },
];

/** Longer than any limit of wall time that such a harness has had. */
const IDLE_SECONDS = 6;
const slow = (name: string, first: string, second: string) => `
import time
def ${name}(*arguments, right=${name}):
    if arguments[0] == ${first}:
        time.sleep(${IDLE_SECONDS})
    while arguments[0] == ${second}:
        pass
    return right(*arguments)
`;

const HARNESSES = [
  {
    of: 'the pack cheats',
    files: hiddenFiles('cheats', 'add'),
    solution: { path: 'solution.py', content: `def add(a, b):\n    return a + b\n${slow('add', '1', '0')}` },
    command: 'python3 -I /grader/harness.py add',
    tests: 4,
  },
  {
    of: 'the pack small-python-tasks',
    files: hiddenFiles('small-python-tasks', 'roman-number'),
    solution: {
      path: 'solution.py',
      content: read('examples/deployments/small-python-tasks/solutions.py') + slow('roman_number', '1', '4'),
    },
    command:
      'exec agentclash-grade calls --tests tests.json --code solution.py --function roman_number --cpu-seconds 3',
    tests: 6,
  },
  {
    of: 'the pack fix-the-tests',
    files: hiddenFiles('fix-the-tests', 'chunks'),
    solution: {
      path: 'text.py',
      content: `def chunks(text, size):
    return [text[at:at + size] for at in range(0, len(text), size)]
${slow('chunks', '"abcde"', '"abcd"')}`,
    },
    command:
      'exec agentclash-grade calls --tests calls.json --code text.py --function chunks --cpu-seconds 3',
    tests: 4,
  },
  {
    of: 'the guide of packs',
    files: GUIDE_TESTS,
    solution: {
      path: 'solution.py',
      content: `import sys, time
numbers = sorted(int(line) for line in sys.stdin)
time.sleep(${IDLE_SECONDS} if numbers == [1, 3] else 0)
while numbers == [9, 10]:
    pass
print(*numbers, sep="\\n")
`,
    },
    command: 'exec agentclash-grade cases --tests tests.json --cpu-seconds 3 -- python3 solution.py',
    tests: 3,
  },
];

type Graded = (typeof HARNESSES)[number];

/** The record of the verifier for an agent that leaves the solution. */
async function graded({ files, solution, command }: Graded) {
  const { path: file, content } = solution;
  const write = `open(${JSON.stringify(file)}, 'w').write(${JSON.stringify(content)})`;
  const plan = attemptPlan({ kind: 'program', config: { command: ['python3', '-c', write] } });
  const attempt = await harness.run(plan);
  const report_path = command.startsWith('exec') ? '/grader/report.xml' : '/tmp/report.xml';
  const tests = { validator_key: 'tests', test_command: command, report_path };
  const code_executions = [{ ...tests, timeout_ms: 60_000 }];
  const grader = graderPlan(plan, { expectations: files, code_executions });
  expect(await attempt.verify(grader)).toEqual({ status: 'verified' });
  return attempt.events.payloads('grader.verification.code_executed')[0];
}

describe('the harnesses of the examples', () => {
  const results = new Map<string, Awaited<ReturnType<typeof graded>>>();

  beforeAll(async () => {
    await Promise.all(HARNESSES.map(async (each) => results.set(each.of, await graded(each))));
  }, 180_000);

  test.each(HARNESSES)(
    'A right solution that gets no CPU for seconds passes the harness of $of, and a loop fails one test',
    ({ of, tests }) => {
      const run = results.get(of);
      expect(run).toMatchObject({ timed_out: false, exit_code: 1 });
      expect(run?.report).toContain(`tests="${tests}" failures="1"`);
      // The first call waits, and the second loops.
      expect(run?.report).toMatch(/<testcase name="\w+ 1"><\/testcase><testcase name="\w+ 2"><failure/);
    },
  );
});
