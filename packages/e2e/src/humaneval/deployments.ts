import { stringify } from 'yaml';
import { caseKeyOf, type HumanEvalTask } from './tasks.js';

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

function canonicalSteps({ prompt, canonical_solution }: HumanEvalTask) {
  const content = prompt + canonical_solution;
  return [{ call: { name: 'write_file', arguments: { path: 'solution.py', content } } }, { answer: 'Done.' }];
}
