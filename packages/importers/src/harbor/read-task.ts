import { ImportError } from '../framework/import-error.js';
import { type ImportSource, readText } from '../framework/import-source.js';
import type { Losses } from '../framework/loss-report.js';
import { type DistinctKeys, titleOf } from '../writing/names.js';
import { readEnvironment } from './read-environment.js';
import { readSteps } from './read-steps.js';
import { readArtifacts, readEnv, reportPhase } from './read-values.js';
import { type HarborTask, isFile, type TaskEnvironment, type TaskFile } from './task.js';
import { parseToml, TableReader } from './toml.js';

const DIFFICULTIES = ['easy', 'medium', 'hard', 'expert'] as const;
/** Harbor's defaults. */
const AGENT_SECONDS = 600;
const VERIFIER_SECONDS = 600;
const SCHEMAS = new Set(['1.0', '1.1', '1.2', '1.3', '1.4']);
/** Longer file names have no location as keys of a pack. */
const PATH_CHARACTERS_MAX = 110;

export interface ReadTaskOptions {
  source: ImportSource;
  losses: Losses;
  keys: DistinctKeys;
}

/** Reads the task of a folder; everything in its task.toml is reported. */
export async function readTask(
  folder: string,
  { source, losses, keys }: ReadTaskOptions,
): Promise<HarborTask> {
  const base = folder === '' ? '' : `${folder}/`;
  const file = `${base}task.toml`;
  const root = new TableReader(file, '', parseToml(await readText(source, file), file));
  readSchema(root, losses);
  const name = folder === '' ? source.name : (folder.split('/').at(-1) ?? folder);
  const filesOf = (part: string) => taskFiles(source, `${base}${part}`, losses);
  const about = readAbout(root, { name, losses });
  const environment = await readEnvironment(root.sub('environment'), { source, base, losses, filesOf });
  const { steps, stepRewards } = await readSteps(root, { source, base, losses, filesOf });
  const instructionFile = `${base}instruction.md`;
  const hasInstruction = (await source.find(instructionFile)) !== undefined;
  if (!hasInstruction && steps.length === 0) {
    throw new ImportError({ file: instructionFile, message: 'the task has no instruction' });
  }
  const folders = readArtifacts(root, losses);
  const task: HarborTask = {
    key: keys.of(name, 'task'),
    folder,
    ...about,
    instruction: hasInstruction ? (await readText(source, instructionFile)).trim() : '',
    environment,
    ...readAgent(root, { environment, losses }),
    ...readVerifier(root, { environment, losses }),
    solutionEnv: readSolution(root, losses),
    tests: await filesOf('tests'),
    solution: await filesOf('solution'),
    steps,
    stepRewards,
    folders: [...folders, ...steps.flatMap((step) => step.folders)],
  };
  if (hasInstruction)
    losses.carried(instructionFile, 'instruction.md', `challenges[${task.key}].instructions`);
  reportFiles(task, { base, losses });
  await reportOthers(folder, { source, losses });
  for (const key of root.unread()) losses.dropped(file, key, 'unknown key');
  return task;
}

function readSchema(root: TableReader, losses: Losses): void {
  const key = root.any('schema_version') === undefined ? 'version' : 'schema_version';
  const version = root.any(key);
  if (version === undefined) return;
  if (SCHEMAS.has(String(version))) losses.carried(root.where, key, 'the keys of 1.0 to 1.4 are read');
  else
    losses.changed(
      root.where,
      key,
      `${String(version)} is read as 1.4: keys that are newer count as unknown`,
    );
}

type About = Pick<HarborTask, 'title' | 'difficulty' | 'category'>;

function readAbout(root: TableReader, { name, losses }: { name: string; losses: Losses }): About {
  const { where } = root;
  const about: About = { title: titleOf(name), difficulty: 'medium', category: 'general' };
  const task = root.sub('task');
  const given = task?.string('name');
  if (task && given !== undefined) {
    about.title = titleOf(given.split('/').at(-1) ?? given);
    losses.carried(where, task.at('name'), 'the title of the challenge');
  }
  const metadata = root.sub('metadata');
  const category = metadata?.any('category');
  if (metadata && typeof category === 'string' && category.trim() !== '') {
    about.category = category;
    losses.carried(where, metadata.at('category'), 'the category of the challenge');
  }
  const difficulty = metadata?.any('difficulty');
  if (metadata && difficulty !== undefined) {
    const known = DIFFICULTIES.find((each) => each === difficulty);
    about.difficulty = known ?? 'medium';
    if (known) losses.carried(where, metadata.at('difficulty'), 'the difficulty of the challenge');
    else losses.changed(where, metadata.at('difficulty'), `${JSON.stringify(difficulty)} becomes medium`);
  }
  for (const table of [task, metadata]) {
    for (const key of table?.unread() ?? []) {
      losses.dropped(
        where,
        table?.at(key) ?? key,
        'descriptions beside title, category and difficulty have no location in a pack',
      );
    }
  }
  if (root.any('source') !== undefined) losses.dropped(where, 'source', 'it has no effect on the task');
  return about;
}

interface PhaseOptions {
  environment: TaskEnvironment;
  losses: Losses;
}

function readAgent(
  root: TableReader,
  { environment, losses }: PhaseOptions,
): Pick<HarborTask, 'agentSeconds'> {
  const agent = root.sub('agent');
  if (!agent) return { agentSeconds: AGENT_SECONDS };
  const seconds = agent.number('timeout_sec');
  if (seconds !== undefined) losses.carried(root.where, agent.at('timeout_sec'), 'case_timeout_seconds');
  if (environment.image) readImageUser(agent, { image: environment.image, losses });
  reportPhase(agent, losses, environment);
  for (const key of agent.unread()) losses.dropped(root.where, agent.at(key), 'unknown key');
  return { agentSeconds: Math.max(1, Math.ceil(seconds ?? AGENT_SECONDS)) };
}

interface ImageUser {
  image: NonNullable<TaskEnvironment['image']>;
  losses: Losses;
}

/** Containers run as root unless they are given another user. */
function readImageUser(agent: TableReader, { image, losses }: ImageUser): void {
  const user = agent.any('user');
  if (user === undefined) return;
  image.runAsRoot = user === 'root' || user === 0;
  const key = agent.at('user');
  if (image.runAsRoot) losses.carried(agent.where, key, 'sandbox.run_as_root');
  else losses.changed(agent.where, key, 'processes of the sandbox run as uid 1000, whatever its name');
}

function readVerifier(
  root: TableReader,
  { environment, losses }: PhaseOptions,
): Pick<HarborTask, 'verifierSeconds' | 'verifierEnv'> {
  const table = root.sub('verifier');
  if (!table) return { verifierSeconds: VERIFIER_SECONDS, verifierEnv: {} };
  const { where } = root;
  const seconds = table.number('timeout_sec');
  if (seconds !== undefined) losses.carried(where, table.at('timeout_sec'), 'the time limit of the tests');
  const mode = table.string('environment_mode');
  if (mode === 'separate')
    losses.carried(where, table.at('environment_mode'), 'verifiers have a sandbox of their own');
  else if (mode !== undefined) {
    const left = environment.image
      ? 'everything that the agent changed in the image'
      : 'the working directory and nothing else of the agent';
    const reason = `the verifier has a sandbox of its own, which gets ${left}`;
    losses.changed(where, table.at('environment_mode'), reason);
  }
  for (const key of ['environment', 'collect']) {
    if (table.any(key) === undefined) continue;
    losses.dropped(
      where,
      table.at(key),
      "the verifier's sandbox is like the agent's, with the working directory it left",
    );
  }
  reportPhase(table, losses, environment);
  const verifierEnv = readEnv(table, losses);
  for (const key of table.unread()) losses.dropped(where, table.at(key), 'unknown key');
  return { verifierSeconds: Math.max(1, seconds ?? VERIFIER_SECONDS), verifierEnv };
}

function readSolution(root: TableReader, losses: Losses): Record<string, string> {
  const table = root.sub('solution');
  if (!table) return {};
  const env = readEnv(table, losses);
  for (const key of table.unread()) losses.dropped(root.where, table.at(key), 'unknown key');
  return env;
}

async function taskFiles(source: ImportSource, folder: string, losses: Losses): Promise<TaskFile[]> {
  const notFolder = await source.find(folder);
  if (notFolder !== undefined) {
    const reason = isFile(notFolder)
      ? 'it is a file, and no folder'
      : 'links and special files are not followed';
    losses.dropped(folder, folder, reason);
    return [];
  }
  const entries = await source.list(folder).catch((error: unknown) => {
    if (error instanceof ImportError) return [];
    throw error;
  });
  const files: TaskFile[] = [];
  for (const entry of entries) {
    const path = entry.path.slice(folder.length + 1);
    if (!isFile(entry)) {
      losses.dropped(entry.path, path, 'links and special files are not followed');
      continue;
    }
    if (path.length > PATH_CHARACTERS_MAX) {
      throw new ImportError({
        file: entry.path,
        message: `the path is longer than ${PATH_CHARACTERS_MAX} characters`,
      });
    }
    const content = await source.read(entry.path);
    files.push({ path, source: entry.path, isExecutable: entry.isExecutable, content });
  }
  return files;
}

function reportFiles(task: HarborTask, { base, losses }: { base: string; losses: Losses }): void {
  if (task.tests.length > 0) {
    losses.carried(
      `${base}tests`,
      'tests/',
      `${task.tests.length} files that only the verifier's sandbox gets, at /tests`,
    );
  } else if (task.steps.length === 0) {
    throw new ImportError({ file: `${base}tests/test.sh`, message: 'the task has no tests' });
  }
  if (task.solution.length > 0) {
    losses.carried(
      `${base}solution`,
      'solution/',
      `the solution of the challenge ${task.key}, and the oracle's steps in deployments.yaml`,
    );
  }
}

const READ_PARTS = new Set(['task.toml', 'instruction.md', 'environment', 'tests', 'solution', 'steps']);

/** Files and folders beside those of Harbor's task format. */
async function reportOthers(
  folder: string,
  { source, losses }: Omit<ReadTaskOptions, 'keys'>,
): Promise<void> {
  const at = folder === '' ? 0 : folder.length + 1;
  const parts = new Set((await source.list(folder)).map(({ path }) => path.slice(at).split('/')[0] ?? ''));
  const isRoot = folder === '';
  for (const part of parts) {
    if (READ_PARTS.has(part) || (isRoot && (part === 'dataset.toml' || part === 'registry.json'))) continue;
    losses.dropped(
      folder === '' ? part : `${folder}/${part}`,
      part,
      "it is no part of Harbor's format of tasks",
    );
  }
}
