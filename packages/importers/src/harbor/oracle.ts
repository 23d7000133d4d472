import type { Losses } from '../framework/loss-report.js';
import { yamlText } from '../writing/pack-yaml.js';
import type { HarborTask, TaskFile } from './task.js';
import { textOf } from './texts.js';

/** An argument of a command may have 128 KiB; base64 takes a third more. */
const PART_BYTES = 65_536;
const SOLUTION_BYTES_MAX = 4 * 1_048_576;

/** Of the steps of a conversation in the pack itself, as JSON. */
const PACK_STEPS_MAX = 65_536;
const FILES_MAX = 2_000;
const SECONDS_MAX = 86_400;

type Step =
  | { call: { name: string; arguments: Record<string, unknown> } }
  | { message: string }
  | { answer: string };

/** The deployments that prove the pack: one that plays every solution, and one that does nothing. */
export function deploymentsYaml(
  tasks: readonly HarborTask[],
  { slug, losses }: { slug: string; losses: Losses },
): string {
  const byCase: Record<string, Step[]> = {};
  for (const task of tasks) {
    const steps =
      task.steps.length > 0 ? conversationOf(task) : playedSteps(task, task.solution, task.agentSeconds);
    if (steps === undefined)
      losses.dropped(task.folder, 'solution/', 'the files have more than 4 MiB together');
    else if (steps.length > 0) byCase[task.key] = task.steps.length > 0 ? steps : [...steps, DONE];
  }
  const document = {
    deployments: [
      { name: `${slug}-oracle`, kind: 'scripted', config: { by_case: byCase } },
      { name: `${slug}-noop`, kind: 'scripted', config: { steps: [] } },
    ],
  };
  const head = [
    `# ${slug}-oracle plays the solution of every task: it scores 1 where the pack is right. ${slug}-noop does nothing: it`,
    '# scores 0 where the tests are worth anything.',
  ];
  return `${head.join('\n')}\n${yamlText(document)}`;
}

/** The files of a solution that are assets of the pack. */
export function solutionFiles({ solution, steps }: HarborTask): readonly TaskFile[] {
  const isPlayed = steps.length === 0 && solution.some(({ path }) => path === SCRIPT);
  return isPlayed && solution.length <= FILES_MAX ? solution : [];
}

/** The path of a file of the solution beside the pack; its key is the same without the folder of the task. */
export function solutionAsset({ path }: Pick<TaskFile, 'path'>): string {
  return `solution/${path}`;
}

/** The solution of a task for the pack; undefined where it has none, or too long a one. */
export function packSolution(task: HarborTask): Record<string, unknown> | undefined {
  const { solutionEnv, agentSeconds } = task;
  if (task.steps.length > 0) {
    const steps = conversationOf(task);
    const isShort = steps !== undefined && JSON.stringify(steps).length <= PACK_STEPS_MAX;
    return isShort && steps.some((step) => 'call' in step) ? { steps } : undefined;
  }
  const files = solutionFiles(task);
  if (files.length === 0) return undefined;
  return {
    files: files.map((file) => ({
      path: `/solution/${file.path}`,
      asset: solutionAsset(file),
      ...(file.isExecutable && { executable: true }),
    })),
    run: `bash /solution/${SCRIPT}`,
    timeout_seconds: Math.min(SECONDS_MAX, Math.ceil(agentSeconds)),
    ...(Object.keys(solutionEnv).length > 0 && { environment: solutionEnv }),
  };
}

const SCRIPT = 'solve.sh';
const DONE: Step = { answer: 'The solution has run.' };
const TURN_END: Step = { message: 'The solution has run.' };

function conversationOf(task: HarborTask): Step[] | undefined {
  const steps: Step[] = [];
  for (const { solution, agentSeconds = task.agentSeconds } of task.steps) {
    const played = playedSteps(task, solution, agentSeconds);
    if (played === undefined) return undefined;
    steps.push(...played, TURN_END);
  }
  return steps;
}

/** Puts the files at /solution and runs solve.sh; no steps without that file, undefined beyond the limit. */
function playedSteps(
  { environment, solutionEnv }: HarborTask,
  files: readonly TaskFile[],
  seconds: number,
): Step[] | undefined {
  if (!files.some(({ path }) => path === SCRIPT)) return [];
  if (files.reduce((bytes, { content }) => bytes + content.length, 0) > SOLUTION_BYTES_MAX) return undefined;
  const run = {
    command: ['bash', '/solution/solve.sh'],
    working_directory: environment.workdir,
    ...(Object.keys(solutionEnv).length > 0 && { environment: solutionEnv }),
    timeout_seconds: seconds,
  };
  return [...files.flatMap(writingSteps), call(run)];
}

/** The first part replaces a file of an earlier step. */
const WRITE = 'mkdir -p "$(dirname "$1")" && printf %s "$2" > "$1"';
const DECODE = 'mkdir -p "$(dirname "$1")" && printf %s "$2" | base64 -d > "$1"';
const APPEND = 'printf %s "$2" | base64 -d >> "$1"';

function writingSteps({ path, content, isExecutable }: TaskFile): Step[] {
  const target = `/solution/${path}`;
  const write = (script: string, text: string) => call({ command: ['sh', '-c', script, 'sh', target, text] });
  const text = textOf(content);
  const steps: Step[] = [];
  // Tokens in two braces would be filled in from the case.
  if (text !== undefined && content.length <= PART_BYTES && !text.includes('{{'))
    steps.push(write(WRITE, text));
  else {
    for (let at = 0; at === 0 || at < content.length; at += PART_BYTES) {
      const part = Buffer.from(content.subarray(at, at + PART_BYTES)).toString('base64');
      steps.push(write(at === 0 ? DECODE : APPEND, part));
    }
  }
  if (isExecutable) steps.push(call({ command: ['chmod', '+x', target] }));
  return steps;
}

function call(args: Record<string, unknown>): Step {
  return { call: { name: 'exec', arguments: args } };
}
