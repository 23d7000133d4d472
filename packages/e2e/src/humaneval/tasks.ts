import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

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
export function caseKeyOf({ task_id }: HumanEvalTask): string {
  return task_id.toLowerCase().replace('/', '-');
}
