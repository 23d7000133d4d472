import { ImportError } from '../framework/import-error.js';
import { Losses } from '../framework/loss-report.js';
import { type BuiltEnvironment, readDockerfile } from './dockerfile.js';
import { addPython, type RunEffect, readRun } from './run-commands.js';
import type { HarborTask, TaskFile } from './task.js';
import { shellWord, textOf } from './texts.js';

/** The verifier's whole stage may take ten minutes. */
export const VERIFIER_SECONDS_MAX = 570;

/** The verifier of one task. */
export interface TaskGrader {
  /** Prepares the verifier's sandbox and runs the tests. */
  script: string;
  /** Files at /tests. */
  tests: TaskFile[];
  /** Files that are put there for one step. */
  stepTests: (TaskFile & { step: string })[];
  needsOfflineTools: boolean;
  /** Debian packages of the tests. */
  packages: string[];
  seconds: number;
  /** Why the tests cannot run. */
  missing: string[];
}

/** The key of the expectation that holds the offline-tools. */
export const OFFLINE_TOOLS_KEY = 'offline-tools.sh';

const INSTALLS = /(?:^|[\s;&|(])(apt-get|apt|uvx|uv|pip3?|curl|wget|pytest)(?=\s)/gm;

/** The tests of a task, or of one of its steps. */
interface TestedPart {
  step?: string;
  where: string;
  /** Of several at one path the last. */
  files: TaskFile[];
  seconds: number;
  env: Record<string, string>;
}

function partsOf(task: HarborTask): [TestedPart, ...TestedPart[]] {
  const base = task.folder === '' ? '' : `${task.folder}/`;
  const { verifierSeconds, verifierEnv } = task;
  const parts = task.steps.map(
    (step): TestedPart => ({
      step: step.name,
      where: `${base}steps/${step.name}/tests`,
      files: merged(task.tests, step.tests),
      seconds: step.verifierSeconds ?? verifierSeconds,
      env: { ...verifierEnv, ...step.verifierEnv },
    }),
  );
  const [first, ...others] = parts;
  if (first !== undefined) return [first, ...others];
  return [{ where: `${base}tests`, files: task.tests, seconds: verifierSeconds, env: verifierEnv }];
}

/** The grader of a task, which runs the tests of each of its steps apart. */
export function graderOf(task: HarborTask, losses: Losses): TaskGrader {
  const effect: RunEffect = { packages: [], changes: [], problems: [], harmless: [] };
  const missing: string[] = [];
  const graded = partsOf(task).map((part) => gradedPart(part, { task, losses, effect, missing }));
  const needsOfflineTools = graded.some((part) => part.needsOfflineTools);
  return {
    script: scriptOf(task, { parts: graded, needsOfflineTools }),
    tests: [...testFiles(task.tests), ...(task.steps.length > 0 ? [stepList(task)] : [])],
    stepTests: task.steps.flatMap(({ name: step, tests }) =>
      testFiles(tests).map((file) => ({ ...requireShortKey(file, step), step })),
    ),
    needsOfflineTools,
    packages: effect.packages,
    seconds: Math.max(...graded.map(({ seconds }) => seconds)),
    missing,
  };
}

const KEY_CHARACTERS_MAX = 128;

function requireShortKey(file: TaskFile, step: string): TaskFile {
  if (`steps/${step}/${file.path}`.length <= KEY_CHARACTERS_MAX) return file;
  const message = `the names of the step and the file have more than ${KEY_CHARACTERS_MAX} characters`;
  throw new ImportError({ file: file.source, message });
}

function testFiles(files: readonly TaskFile[]): TaskFile[] {
  return files.filter(({ path }) => !BUILD_FILES.has(path));
}

/** Makes the folder of the tests exist where all of them are those of steps. */
function stepList({ steps, folder }: HarborTask): TaskFile {
  const content = new TextEncoder().encode(`${steps.map(({ name }) => name).join('\n')}\n`);
  return { path: '.steps', source: folder, isExecutable: false, content };
}

interface GradedPart extends TestedPart {
  needsOfflineTools: boolean;
}

interface PartContext {
  task: HarborTask;
  losses: Losses;
  effect: RunEffect;
  missing: string[];
}

function gradedPart(part: TestedPart, { task, losses, effect, missing }: PartContext): GradedPart {
  const { where, files, seconds: required } = part;
  const { image } = task.environment;
  const tests = testFiles(files);
  if (!tests.some(({ path }) => path === 'test.sh')) {
    const reason = 'there is no tests/test.sh: the tests have no command';
    losses.dropped(where, 'test.sh', reason);
    missing.push(`${where}: ${reason}`);
  }
  const build = verifierBuild(files, { where, losses });
  missing.push(...build.missing);
  if (!image) effect.packages.push(...build.packages);
  else if (build.packages.length > 0) {
    missing.push(`${where}: the tests need ${build.packages.join(', ')} beside the image of the task`);
  }
  const scripts = tests.flatMap((file) => (file.path.endsWith('.sh') ? [textOf(file.content) ?? ''] : []));
  const commands = new Set(
    scripts.flatMap((text) => [...text.matchAll(INSTALLS)].map(([, name = '']) => name)),
  );
  if (commands.size > 0) {
    const names = [...commands].sort().join(', ');
    const owner = image ? 'image' : 'sandbox';
    const reason = `the verifier has no network: instead of installing, ${names} run what the ${owner} has`;
    losses.changed(where, 'test.sh', reason);
    const own: RunEffect = { packages: [], changes: [], problems: [], harmless: [] };
    if (!image) for (const text of scripts) addRequirements(text, { effect: own, where, losses, missing });
    for (const change of own.changes) losses.changed(where, 'test.sh', change);
    effect.packages.push(...own.packages);
  }
  const seconds = Math.min(Math.ceil(required), VERIFIER_SECONDS_MAX);
  if (seconds < required) {
    losses.changed(
      where,
      'timeout',
      `the tests may take ${seconds} s instead of ${required} s: no verifier may take longer`,
    );
  }
  losses.carried(where, '/logs/verifier', 'reward.txt or reward.json is the score of the validator');
  return { ...part, seconds, env: { ...build.env, ...part.env }, needsOfflineTools: commands.size > 0 };
}

/** Files by which Harbor builds the image of a verifier of its own. */
const BUILD_FILES = new Set(['Dockerfile', 'docker-compose.yaml', 'docker-compose.yml']);

/** The parts of a verifier's image that a sandbox can have too. */
function verifierBuild(
  files: readonly TaskFile[],
  { where, losses }: Pick<Requirements, 'where' | 'losses'>,
): Pick<BuiltEnvironment, 'packages' | 'env' | 'missing'> {
  const services = files.find(({ path }) => path.startsWith('docker-compose.'));
  const missing: string[] = [];
  if (services) {
    const reason = 'several containers: a sandbox has the processes of one, and no services beside it';
    losses.dropped(services.source, 'services', reason);
    missing.push(`${services.source}: ${reason}`);
  }
  const dockerfile = files.find(({ path }) => path === 'Dockerfile');
  if (!dockerfile) return { packages: [], env: {}, missing };
  const read = new Losses();
  const built = readDockerfile(textOf(dockerfile.content) ?? '', dockerfile.source, read);
  for (const item of read.items) {
    if (!item.key.startsWith('WORKDIR')) losses[item.fate](item.where, item.key, item.reason);
  }
  for (const { sources, destination, line } of built.copies) {
    const key = `COPY (line ${line})`;
    if (/^\/tests(\/|$)/.test(destination)) losses.carried(dockerfile.source, key, 'the tests are at /tests');
    else {
      const reason = `${sources.join(' ')} belongs to ${destination}: it needs an image`;
      losses.dropped(dockerfile.source, key, reason);
      missing.push(`${where}: ${reason}`);
    }
  }
  return { packages: built.packages, env: built.env, missing: [...missing, ...built.missing] };
}

interface Requirements {
  effect: RunEffect;
  where: string;
  losses: Losses;
  missing: string[];
}

/** Finds what a test installs. */
function addRequirements(text: string, { effect, where, losses, missing }: Requirements): void {
  const lines = text.replace(/\\\n/g, ' ');
  const wanted = new Set<string>();
  for (const [, names = ''] of lines.matchAll(/(?:apt-get|apt)\s+(?:-\S+\s+)*install\s+([^\n;&|]+)/g)) {
    const run = readRun(`apt-get install ${names.replace(/\s+/g, ' ').trim()}`);
    if (run.problems.length === 0) effect.packages.push(...run.packages.filter((name) => name !== 'curl'));
  }
  for (const [, name = ''] of lines.matchAll(/--with[= ]\s*["']?([A-Za-z0-9][^\s"']*)/g)) wanted.add(name);
  for (const [, names = ''] of lines.matchAll(
    /(?:pip3?|uv add|uv pip)\s+install\s+([^\n;&|]+)|uv add\s+([^\n;&|]+)/g,
  )) {
    for (const name of names.split(/\s+/))
      if (/^["']?[A-Za-z]/.test(name)) wanted.add(name.replace(/["']/g, ''));
  }
  if (/\bpytest\b/.test(lines)) wanted.add('pytest');
  for (const name of wanted) {
    if (name === 'pytest' && effect.packages.includes('python3-pytest')) continue;
    if (addPython(name, effect)) continue;
    const reason = `the tests install ${name}, of which no package of Debian is known here`;
    losses.dropped(where, 'test.sh', reason);
    missing.push(`${where}: ${reason}`);
  }
}

function merged(lower: readonly TaskFile[], upper: readonly TaskFile[]): TaskFile[] {
  return [...new Map([...lower, ...upper].map((file) => [file.path, file])).values()];
}

interface ScriptParts {
  parts: readonly GradedPart[];
  needsOfflineTools: boolean;
}

/** The script that the validator runs: what Harbor prepares before it runs the tests. */
function scriptOf({ environment, steps }: HarborTask, { parts, needsOfflineTools }: ScriptParts): string {
  const [first] = parts;
  const prepared =
    steps.length === 0 && first
      ? [...exports(first), `seconds=${first.seconds}`]
      : [
          `phase=\${AGENTCLASH_PHASE:-${parts.at(-1)?.step ?? ''}}`,
          'cp -rp "/grader/steps/$phase/." /tests/',
          'case "$phase" in',
          ...parts.flatMap((part) => [
            `${part.step})`,
            ...[...exports(part), `seconds=${part.seconds}`].map((line) => `  ${line}`),
            '  ;;',
          ]),
          'esac',
        ];
  const lines = [
    '#!/bin/bash',
    '# Runs the tests of one task as Harbor does: their reward decides, and not their exit code.',
    'set -u',
    'mkdir -p /logs/verifier /logs/agent /logs/artifacts',
    ...(needsOfflineTools ? [`. /grader/${OFFLINE_TOOLS_KEY}`] : []),
    ...prepared,
    `cd ${shellWord(environment.workdir)} || exit 1`,
    'timeout --kill-after=5 "$seconds" bash /tests/test.sh',
    'status=$?',
    'if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then',
    '  echo "the tests ran out of time" >&2',
    '  rm -f /logs/verifier/reward.txt /logs/verifier/reward.json',
    'fi',
    'exit 0',
    '',
  ];
  return lines.join('\n');
}

function exports({ env }: GradedPart): string[] {
  return Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`);
}
