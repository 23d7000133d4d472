import { systemDirectoryOf } from '@agentclash/challengepack';
import { ImportError, type ImportProblem } from '../framework/import-error.js';
import { type Importer, type ImportRequest, PACK_FILE, type PackFiles } from '../framework/importer.js';
import { Losses } from '../framework/loss-report.js';
import { type Candidate, setsOfRunnable, withoutUnrunnable } from '../framework/unrunnable.js';
import { DistinctKeys, slugOf, titleOf } from '../writing/names.js';
import { packYaml } from '../writing/pack-yaml.js';
import { findTasks } from './find-tasks.js';
import { graderOf, OFFLINE_TOOLS_KEY, type TaskGrader, VERIFIER_SECONDS_MAX } from './grader.js';
import { OFFLINE_TOOLS_SCRIPT } from './offline-tools.js';
import { deploymentsYaml, solutionAsset, solutionFiles } from './oracle.js';
import { caseOf, challengeOf, contextPath, VALIDATOR_KEY } from './pack-parts.js';
import { readTask } from './read-task.js';
import { harborReadme } from './readme.js';
import { commonServers } from './servers.js';
import type { HarborTask, TaskMcpServer } from './task.js';

/** A task with its verifier. */
export interface ImportedTask extends Candidate {
  task: HarborTask;
  grader: TaskGrader;
  missing: string[];
}

/** Harbor's tasks as one pack: a challenge and a case for each, graded by its own tests. */
export const importHarbor: Importer = async (request) => {
  const { source, losses } = request;
  const found = await findTasks(source, losses);
  const candidates = await readTasks(found.folders, request);
  const workdir = commonWorkdir(candidates);
  const servers = commonServers(candidates);
  const tasks = withoutUnrunnable(candidates, request);
  const slug = slugOf(found.name, 'harbor-tasks');
  const phases = commonRewards(tasks, losses);
  const files: PackFiles = new Map();
  const isWhole = tasks.length === candidates.length;
  files.set(PACK_FILE, packText(tasks, { slug, found, phases, workdir, servers, isWhole }));
  files.set(
    'deployments.yaml',
    deploymentsYaml(
      tasks.map(({ task }) => task),
      { slug, losses },
    ),
  );
  files.set('README.md', harborReadme(candidates, { slug, included: tasks }));
  for (const { task, grader } of tasks) {
    files.set(`tasks/${task.key}/run.sh`, grader.script);
    for (const { path, content } of grader.tests) files.set(`tasks/${task.key}/tests/${path}`, content);
    for (const { step, path, content } of grader.stepTests)
      files.set(`tasks/${task.key}/steps/${step}/${path}`, content);
    for (const file of solutionFiles(task))
      files.set(`tasks/${task.key}/${solutionAsset(file)}`, file.content);
    for (const { path, content } of task.environment.image?.files ?? [])
      files.set(contextPath(task, path), content);
  }
  if (tasks.some(({ grader }) => grader.needsOfflineTools))
    files.set(OFFLINE_TOOLS_KEY, OFFLINE_TOOLS_SCRIPT);
  return files;
};

async function readTasks(
  folders: readonly string[],
  { source, origins }: ImportRequest,
): Promise<ImportedTask[]> {
  const keys = new DistinctKeys();
  const tasks: ImportedTask[] = [];
  const problems: ImportProblem[] = [];
  for (const folder of folders) {
    try {
      tasks.push(await readOne(folder, { source, keys }));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      problems.push(...error.problems.slice(0, 1));
    }
  }
  if (problems.length > 0) throw tasksError(problems);
  for (const { key, where } of tasks) origins.set(key, { file: where });
  return tasks;
}

async function readOne(
  folder: string,
  { source, keys }: Pick<ImportRequest, 'source'> & { keys: DistinctKeys },
): Promise<ImportedTask> {
  const losses = new Losses();
  const task = await readTask(folder, { source, losses, keys });
  const grader = graderOf(task, losses);
  const missing = [...task.environment.missing, ...grader.missing];
  const where = folder === '' ? 'task.toml' : `${folder}/task.toml`;
  const isBuilt = task.environment.image?.files !== undefined;
  return { task, grader, missing, losses, where, key: task.key, isBuilt };
}

const PROBLEMS_MAX = 20;

/** The first problem of each task that has one. */
function tasksError(problems: readonly ImportProblem[]): ImportError {
  const more = problems.length - PROBLEMS_MAX;
  const rest = more > 0 ? [{ message: `${more} further tasks have problems too` }] : [];
  return new ImportError([...problems.slice(0, PROBLEMS_MAX), ...rest]);
}

/** One validator grades all tasks. */
function commonRewards(tasks: readonly ImportedTask[], losses: Losses): HarborTask['stepRewards'] {
  const ofSteps = tasks.filter(({ task }) => task.steps.length > 0);
  const isFinal = ofSteps.length > 0 && ofSteps.every(({ task }) => task.stepRewards === 'final');
  if (isFinal) return 'final';
  for (const { task, where } of ofSteps) {
    if (task.stepRewards === 'mean') continue;
    const reason = 'the mean of the steps, as in the other tasks: import the task alone';
    losses.changed(where, 'multi_step_reward_strategy', reason);
  }
  return 'mean';
}

/**
 * The working directory of most tasks that can run, else of most. Every case may write there: one that only an image can
 * make writable is chosen where no task has another.
 */
function commonWorkdir(tasks: readonly ImportedTask[]): string {
  const runnable = tasks.filter(({ missing }) => missing.length === 0);
  const workdirs = (runnable.length > 0 ? runnable : tasks).map(({ task }) => task.environment.workdir);
  const writable = workdirs.filter((each) => systemDirectoryOf(each, { hasImage: false }) === undefined);
  const counts = new Map<string, number>();
  for (const each of writable.length > 0 ? writable : workdirs) counts.set(each, (counts.get(each) ?? 0) + 1);
  const [[common] = ['/app']] = [...counts].sort(([, left], [, right]) => right - left);
  return common;
}

interface PackOptions {
  slug: string;
  found: Awaited<ReturnType<typeof findTasks>>;
  phases: HarborTask['stepRewards'];
  workdir: string;
  servers: TaskMcpServer[];
  /** No task was left out. */
  isWhole: boolean;
}

function packText(
  tasks: readonly ImportedTask[],
  { slug, found, phases, workdir, servers, isWhole }: PackOptions,
): string {
  const isOnline = tasks.some(({ task }) => task.environment.isOnline);
  const parts = { isOnline, workdir };
  const hasOfflineTools = tasks.some(({ grader }) => grader.needsOfflineTools);
  return packYaml(
    {
      pack: {
        slug,
        name: titleOf(found.name),
        family: 'harbor',
        description: found.description ?? `${tasks.length} Harbor tasks`,
      },
      version: {
        number: 1,
        execution_mode: 'native',
        tool_policy: { allow_shell: true },
        filesystem: filesystemOf(tasks, workdir),
        sandbox: sandboxOf(tasks, isOnline),
        ...(hasOfflineTools && {
          assets: [{ key: OFFLINE_TOOLS_KEY, path: OFFLINE_TOOLS_KEY }],
          grader_files: [{ artifact_key: OFFLINE_TOOLS_KEY }],
        }),
        evaluation_spec: evaluationSpec(tasks, { slug, phases }),
      },
      ...(servers.length > 0 && { tools: { mcp_servers: servers } }),
      challenges: tasks.map(({ task, grader }) => challengeOf(task, grader)),
      input_sets: setsOfRunnable(tasks, { caseOf: ({ task }) => caseOf(task, parts), isWhole }),
    },
    [
      `Imported from the Harbor tasks of ${found.name}.`,
      'README.md lists those that can run here; deployments.yaml has the oracle and an agent that does nothing.',
    ],
  );
}

/** Where Harbor's agents leave files for verifiers. */
const ARTIFACTS = '/logs/artifacts';

/**
 * The directories that all cases may write: a working directory of its own is that of a case alone. The whole of /logs and
 * /solution exists in every sandbox; what an agent leaves in /logs/artifacts is a part of its workspace.
 */
function filesystemOf(tasks: readonly ImportedTask[], workdir: string) {
  const roots = [...new Set([workdir, ARTIFACTS, ...tasks.flatMap(({ task }) => task.folders)])];
  return {
    working_directory: workdir,
    writable_roots: roots,
    readable_roots: [...roots, '/logs', '/solution'],
  };
}

function sandboxOf(tasks: readonly ImportedTask[], isOnline: boolean) {
  const packages = new Set(
    tasks.flatMap(({ task, grader }) => [...task.environment.packages, ...grader.packages]),
  );
  return {
    network_access: isOnline,
    ...(packages.size > 0 && { additional_packages: [...packages].sort() }),
  };
}

function evaluationSpec(
  tasks: readonly ImportedTask[],
  { slug, phases }: Pick<PackOptions, 'slug' | 'phases'>,
) {
  const seconds = Math.max(...tasks.map(({ grader }) => grader.seconds));
  return {
    name: slug,
    version_number: 1,
    judge_mode: 'deterministic',
    validators: [
      {
        key: VALIDATOR_KEY,
        type: 'code_execution',
        config: {
          test_command: 'bash /grader/run.sh',
          timeout_ms: (Math.min(seconds, VERIFIER_SECONDS_MAX) + 20) * 1_000,
          reports: [
            { path: '/logs/verifier/reward.json', format: 'reward_json' },
            { path: '/logs/verifier/reward.txt', format: 'reward' },
          ],
          pass_threshold: 1,
          ...(phases === 'final' && { phases }),
        },
      },
    ],
    scorecard: {
      strategy: 'weighted',
      pass_threshold: 1,
      dimensions: [{ key: 'reward', source: 'validators', validators: [VALIDATOR_KEY] }],
    },
  };
}
