import type { TaskGrader } from './grader.js';
import { packSolution, solutionAsset, solutionFiles } from './oracle.js';
import type { HarborTask } from './task.js';
import { textOf } from './texts.js';

interface Parts {
  /** The sandboxes of the pack have a network. */
  isOnline: boolean;
  /** The working directory of the pack. */
  workdir: string;
}

/** The challenge of a task, with its tests as files of the grader. */
export function challengeOf(task: HarborTask, grader: TaskGrader): Record<string, unknown> {
  const { key, title, category, difficulty } = task;
  const files = [
    { name: 'run.sh', path: 'run.sh', isExecutable: false },
    ...grader.tests.map(({ path, isExecutable }) => ({
      name: `tests/${path}`,
      path: `/tests/${path}`,
      isExecutable,
    })),
    ...grader.stepTests.map(({ step, path, isExecutable }) => ({
      name: `steps/${step}/${path}`,
      path: `steps/${step}/${path}`,
      isExecutable,
    })),
  ];
  const context = task.environment.image?.files ?? [];
  const solution = packSolution(task);
  return {
    key,
    title,
    category,
    difficulty,
    ...(task.steps.length > 0
      ? { execution_mode: 'multi_turn' }
      : { instructions: asTemplate(task.instruction) }),
    assets: [
      ...files.map(({ name }) => ({ key: name, path: `tasks/${key}/${name}` })),
      ...solutionFiles(task).map((file) => ({
        key: solutionAsset(file),
        path: `tasks/${key}/${solutionAsset(file)}`,
      })),
      ...context.map(({ path }) => ({ key: `environment/${path}`, path: contextPath(task, path) })),
    ],
    grader_files: files.map(({ name, path, isExecutable }) => ({
      artifact_key: name,
      path,
      ...(isExecutable && { executable: true }),
    })),
    ...(solution && { solution }),
  };
}

/** A file of the folder from which the image of a task is built. */
export function contextPath({ key }: HarborTask, path: string): string {
  return `tasks/${key}/environment/${path}`;
}

/** The case of a task. */
export function caseOf(task: HarborTask, parts: Parts): Record<string, unknown> {
  const files = stagedOf(task);
  const { payload, user_simulator } = task.steps.length > 0 ? conversationOf(task) : singleOf(task);
  const all = { ...payload, ...(files.length > 0 && { workspace_files: files }) };
  return {
    challenge_key: task.key,
    case_key: task.key,
    ...(Object.keys(all).length > 0 && { payload: all }),
    ...(user_simulator && { user_simulator }),
    case_timeout_seconds: secondsOf(task),
    ...sandboxOf(task, parts),
  };
}

interface Conversation {
  payload: Record<string, unknown>;
  user_simulator?: Record<string, unknown>;
}

/** Where the payload has an instruction with tokens in two braces, which would be filled in or refused. */
const TEMPLATE = '{{instruction}}';

function asTemplate(instruction: string): string {
  return instruction.includes('{{') ? TEMPLATE : instruction;
}

function singleOf({ instruction }: HarborTask): Conversation {
  return { payload: instruction.includes('{{') ? { instruction } : {} };
}

/**
 * One phase for each step, with its tests as a gate; a text with template tokens is filled in from the payload, so that they
 * stay as they are.
 */
function conversationOf(task: HarborTask): Conversation {
  const payload: Record<string, unknown> = {};
  const phases = task.steps.map(({ name: id, instruction, minReward }, index) => {
    const isTemplate = instruction.includes('{{');
    if (isTemplate) payload[`message_${index + 1}`] = instruction;
    return {
      id,
      actor: 'scripted',
      ...(index > 0 && { trigger: 'on_gate_passed' }),
      turns: [{ message: isTemplate ? `{{message_${index + 1}}}` : instruction }],
      gate: { validator: VALIDATOR_KEY, ...(minReward !== undefined && { min_score: minReward }) },
    };
  });
  const simulator = { schema_version: 1, kind: 'hybrid', max_turns: phases.length, phases };
  return { payload, user_simulator: simulator };
}

/** Files of the environment and of steps; of several at one path the last. */
function stagedOf({ environment, steps }: HarborTask): { path: string; content: string }[] {
  const files = new Map(environment.files.map((file) => [file.path, file]));
  for (const { workdir } of steps) {
    for (const { path, content } of workdir) {
      const text = path === 'setup.sh' ? undefined : textOf(content);
      if (text !== undefined) files.set(path, { path, content: text });
    }
  }
  return [...files.values()];
}

/** The validator that runs the tests of every task. */
export const VALIDATOR_KEY = 'tests';

const CPU_MAX = 64;
const MEMORY_MB_MIN = 16;

function sandboxOf(task: HarborTask, { isOnline, workdir }: Parts): { sandbox?: Record<string, unknown> } {
  const { environment } = task;
  const { cpu, memoryMb, env, workdir: own } = environment;
  const sandbox = {
    ...imageOf(task),
    ...(own !== workdir && { working_directory: own }),
    ...(cpu !== undefined && { cpu: Math.min(cpu, CPU_MAX) }),
    ...(memoryMb !== undefined && { memory_mb: Math.max(memoryMb, MEMORY_MB_MIN) }),
    ...(Object.keys(env).length > 0 && { env_vars: env }),
    ...(isOnline && !environment.isOnline && { network_access: false }),
  };
  return Object.keys(sandbox).length > 0 ? { sandbox } : {};
}

function imageOf(task: HarborTask): Record<string, unknown> {
  const { image } = task.environment;
  if (image === undefined) return {};
  const user = image.runAsRoot && { run_as_root: true };
  if (image.files === undefined) return { image: image.reference, ...user };
  return { dockerfile: contextPath(task, 'Dockerfile'), build_network_access: true, ...user };
}

function secondsOf({ agentSeconds, steps }: HarborTask): number {
  if (steps.length === 0) return agentSeconds;
  return Math.ceil(steps.reduce((sum, step) => sum + (step.agentSeconds ?? agentSeconds), 0));
}
