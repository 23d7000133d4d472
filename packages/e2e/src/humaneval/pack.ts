import { stringify } from 'yaml';
import { HARNESS } from './harness.js';
import { caseKeyOf, type HumanEvalTask } from './tasks.js';

export const HUMANEVAL_PACK = 'humaneval';

/** The data set as a challenge pack: one case per task, the tests hidden from the agent. Returns YAML. */
export function humanEvalPack(tasks: readonly HumanEvalTask[]): string {
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
    input_sets: [{ key: 'all', name: 'All tasks', cases: tasks.map(caseOf) }],
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

function caseOf(task: HumanEvalTask) {
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
  };
}
