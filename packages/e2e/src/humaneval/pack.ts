import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { stringify } from 'yaml';

/**
 * The grader's side of every case: runs the data set's `check` against solution.py and writes a JUnit report.
 *
 * HumanEval's asserts run in the process of the code they judge, so code that was written to deceive could still
 * satisfy them. What cannot pass is code that ends the process early, prints, or writes a report of its own: the child
 * has to return from `check` and print a word that was made up for it, and the report is written after it is dead.
 */
const HARNESS = `\
import os, pathlib, secrets, signal, subprocess, sys

CHILD = """
import os, sys
entry_point, word, output = sys.argv[1:]
sys.argv[1:] = []
space = {"__name__": "solution"}
for path in ("solution.py", "/grader/check.py"):
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), space)
space["check"](space[entry_point])
os.write(int(output), word.encode())
"""

def passes(entry_point):
    read, write = os.pipe()
    word = secrets.token_hex(16)
    child = subprocess.Popen(
        [sys.executable, "-IS", "-c", CHILD, entry_point, word, str(write)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[write], start_new_session=True)
    os.close(write)
    try:
        child.wait(timeout=20)
    except subprocess.TimeoutExpired:
        print("timed out", file=sys.stderr)
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
    os.set_blocking(read, False)
    try:
        return os.read(read, 64).decode() == word
    except BlockingIOError:
        return False

ok = passes(sys.argv[1])
report = pathlib.Path("/tmp/report.xml")
report.unlink(missing_ok=True)
failure = "" if ok else '<failure message="check failed"/>'
report.write_text(f'<testsuite name="check" tests="1"><testcase name="check">{failure}</testcase></testsuite>')
sys.exit(0 if ok else 1)
`;

export const HUMANEVAL_PACK = 'humaneval';

/**
 * The data set as a challenge pack: one case per task, the tests hidden from the agent. With `hasSolutions` the data set's
 * own solutions are in it, for an audit. Returns YAML.
 */
export function humanEvalPack(
  tasks: readonly HumanEvalTask[],
  { hasSolutions = false }: { hasSolutions?: boolean } = {},
): string {
  return stringify({
    pack: {
      slug: HUMANEVAL_PACK,
      name: 'HumanEval',
      family: 'coding',
      description: 'Complete a Python function from its signature and docstring.',
    },
    version: {
      number: 1,
      execution_mode: 'native',
      tool_policy: { allowed_tool_kinds: ['file'] },
      evaluation_spec: EVALUATION_SPEC,
    },
    challenges: [
      {
        key: 'complete-function',
        title: 'Complete one Python function',
        category: 'python',
        difficulty: 'medium',
        instructions: 'The file solution.py begins the function {{entry_point}}. Complete it.',
      },
    ],
    input_sets: [{ key: 'all', name: 'All tasks', cases: tasks.map((task) => caseOf(task, hasSolutions)) }],
  });
}

const EVALUATION_SPEC = {
  name: HUMANEVAL_PACK,
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [
    {
      key: 'tests',
      type: 'code_execution',
      target: 'file:solution',
      config: {
        // -I and -S: nothing of the agent's folder or of installed packages is loaded.
        test_command: 'python3 -IS /grader/harness.py {{entry_point}}',
        scoring: 'all_or_nothing',
        report_path: '/tmp/report.xml',
        timeout_ms: 60_000,
      },
    },
  ],
  post_execution_checks: [{ key: 'solution', type: 'file_capture', path: 'solution.py' }],
  scorecard: {
    strategy: 'binary',
    dimensions: [{ key: 'correctness', validators: ['tests'], pass_threshold: 1 }],
  },
};

function caseOf(task: HumanEvalTask, hasSolution: boolean) {
  return {
    challenge_key: 'complete-function',
    case_key: caseKeyOf(task),
    payload: {
      task_id: task.task_id,
      entry_point: task.entry_point,
      workspace_files: [{ path: 'solution.py', content: task.prompt }],
    },
    expectations: [
      { key: 'harness.py', kind: 'file', value: HARNESS },
      { key: 'check.py', kind: 'file', value: task.test },
    ],
    ...(hasSolution && { solution: { files: [{ path: 'solution.py', content: canonicalProgram(task) }] } }),
  };
}

/** One task of OpenAI's HumanEval, as its file `HumanEval.jsonl.gz` has it. */
export interface HumanEvalTask {
  /** `HumanEval/17`. */
  task_id: string;
  /** Imports, signature and docstring of the function to complete. */
  prompt: string;
  entry_point: string;
  /** The function's body. */
  canonical_solution: string;
  /** Python that defines `check(candidate)`. */
  test: string;
}

export function readHumanEval(file: string): HumanEvalTask[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as HumanEvalTask);
}

/** `humaneval-17`: the key of the task's case. */
function caseKeyOf({ task_id }: HumanEvalTask): string {
  return task_id.toLowerCase().replace('/', '-');
}

/** Two scripted agents: one has the data set's own solutions, one returns nothing. Returns a deployment file. */
export function humanEvalDeployments(tasks: readonly HumanEvalTask[]): string {
  const by_case = Object.fromEntries(tasks.map((task) => [caseKeyOf(task), canonicalSteps(task)]));
  return stringify({
    deployments: [
      { name: 'canonical', kind: 'scripted', config: { by_case } },
      { name: 'empty', kind: 'scripted', config: { steps: [{ answer: '' }] } },
    ],
  });
}

/** Scripted agents that have the data set's own solutions of these shares of the tasks, by name. Returns a deployment file. */
export function humanEvalAgents(
  tasks: readonly HumanEvalTask[],
  shares: Readonly<Record<string, number>>,
): string {
  const deployments = Object.entries(shares).map(([name, share]) => {
    const solved = tasks.filter((_, index) => solves(index, share));
    const by_case = Object.fromEntries(solved.map((task) => [caseKeyOf(task), canonicalSteps(task)]));
    return { name, kind: 'scripted', config: { steps: [{ answer: '' }], by_case } };
  });
  return stringify({ deployments });
}

/** Spreads the solved tasks evenly: the golden ratio visits the unit interval without a pattern. */
function solves(index: number, share: number): boolean {
  return (index * 0.618_033_988_749_895) % 1 < share;
}

function canonicalSteps(task: HumanEvalTask) {
  const content = canonicalProgram(task);
  return [{ call: { name: 'write_file', arguments: { path: 'solution.py', content } } }, { answer: 'Done.' }];
}

function canonicalProgram({ prompt, canonical_solution }: HumanEvalTask): string {
  return prompt + canonical_solution;
}
