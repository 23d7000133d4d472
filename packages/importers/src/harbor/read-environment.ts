import path from 'node:path/posix';
import { systemDirectoryOf } from '@agentclash/challengepack';
import { type ImportSource, readText } from '../framework/import-source.js';
import { Losses } from '../framework/loss-report.js';
import { type Copy, readDockerfile } from './dockerfile.js';
import { literalOf } from './read-values.js';
import { readServers } from './servers.js';
import { isFile, type TaskEnvironment, type TaskFile } from './task.js';
import { textOf } from './texts.js';
import type { TableReader } from './toml.js';

/** Harbor's working directory where neither task.toml nor the Dockerfile names one is `/`, which no sandbox can write. */
const DEFAULT_WORKDIR = '/app';
/** A workspace file is part of the pack's document. */
const INLINE_BYTES_MAX = 65_536;

interface EnvironmentOptions {
  source: ImportSource;
  /** The task's folder, with a slash at its end, or ''. */
  base: string;
  losses: Losses;
  /** The files below a folder of the task. */
  filesOf: (part: string) => Promise<TaskFile[]>;
}

/** Reads `[environment]` and the folder of that name. */
export async function readEnvironment(
  table: TableReader | undefined,
  options: EnvironmentOptions,
): Promise<TaskEnvironment> {
  const environment: TaskEnvironment = {
    env: {},
    isOnline: false,
    workdir: DEFAULT_WORKDIR,
    packages: [],
    files: [],
    mcpServers: [],
    missing: [],
  };
  await readServices(environment, options);
  const workdir = table && readWorkdir(table, options.losses);
  const image = table && (await readImage(table, { ...options, environment }));
  if (image === undefined) await readDockerfileOf(environment, { ...options, workdir });
  else await readBesideImage(environment, options);
  if (workdir !== undefined) environment.workdir = workdir;
  requireWritable(environment, options);
  if (table) readSettings(table, { ...options, environment });
  return environment;
}

/** Leaves out a task whose agent could write nothing where it starts. */
function requireWritable(environment: TaskEnvironment, { base }: EnvironmentOptions): void {
  const { workdir, image, missing } = environment;
  const reason = unwritable(workdir, image !== undefined);
  if (reason !== undefined && missing.length === 0) missing.push(`${base}task.toml: ${reason}`);
}

/** Why an agent cannot work in a directory; undefined where it can. */
function unwritable(workdir: string, hasImage: boolean): string | undefined {
  const system = systemDirectoryOf(workdir, { hasImage });
  if (system === undefined) return undefined;
  const isOfKernel = systemDirectoryOf(workdir, { hasImage: true }) !== undefined;
  const where = isOfKernel ? 'no sandbox' : 'only a sandbox with an image of its own';
  return `the working directory is ${workdir}, and ${where} can write below ${system}`;
}

/** The directory of task.toml, which wins over that of the Dockerfile; undefined where it names none that is of use. */
function readWorkdir(table: TableReader, losses: Losses): string | undefined {
  const given = table.string('workdir');
  if (given === undefined) return undefined;
  if (!given.startsWith('/')) throw table.fail('workdir', 'expected an absolute path');
  const workdir = path.resolve(given);
  const key = table.at('workdir');
  if (workdir === '/') {
    const reason = 'the working directory / cannot be written: that of the Dockerfile, else /app, instead';
    losses.changed(table.where, key, reason);
    return undefined;
  }
  losses.carried(table.where, key, 'filesystem.working_directory');
  return workdir;
}

/** By its digest, so that every run of the pack has the same. */
const IMAGE = /^[a-zA-Z0-9][a-zA-Z0-9._:/-]{0,400}@sha256:[0-9a-f]{64}$/;

/** Reads the image that Harbor takes in place of the Dockerfile; undefined where it is built. */
async function readImage(
  table: TableReader,
  { environment, losses, source, base }: SettingsContext & EnvironmentOptions,
): Promise<string | undefined> {
  const { where } = table;
  const image = table.string('docker_image');
  if (image === undefined) return undefined;
  const key = table.at('docker_image');
  if (!IMAGE.test(image) && (await source.find(`${base}environment/Dockerfile`))) {
    losses.changed(where, key, `${image} has no digest: the environment is that of the Dockerfile beside it`);
    return undefined;
  }
  if (IMAGE.test(image)) {
    losses.carried(where, key, 'sandbox.image of the case');
    environment.image = { reference: image, runAsRoot: true };
  } else {
    const reason = `the image ${image} is not named by its digest: write NAME@sha256:DIGEST, as \`docker images --digests\` shows it`;
    losses.dropped(where, key, reason);
    environment.missing.push(`${where}: ${reason}`);
  }
  return image;
}

/** The Dockerfile of an image that exists already names nothing but the working directory. */
async function readBesideImage(
  environment: TaskEnvironment,
  { source, base, losses }: EnvironmentOptions,
): Promise<void> {
  const file = `${base}environment/Dockerfile`;
  if (!(await source.find(file))) return;
  const built = readDockerfile(await readText(source, file), file, new Losses());
  if (built.workdir !== undefined && built.workdir !== '/') environment.workdir = built.workdir;
  losses.changed(file, 'Dockerfile', 'nothing is built: the image has its result; only WORKDIR is read');
}

async function readServices(
  environment: TaskEnvironment,
  { source, base, losses }: EnvironmentOptions,
): Promise<void> {
  for (const name of ['docker-compose.yaml', 'docker-compose.yml', 'compose.yaml']) {
    if (!(await source.find(`${base}environment/${name}`))) continue;
    const reason = 'several containers: a sandbox has the processes of one, and no services beside it';
    losses.dropped(`${base}environment/${name}`, 'services', reason);
    environment.missing.push(`${base}environment/${name}: ${reason}`);
  }
}

/** The plain sandbox with what the Dockerfile brings, where it can have that; else an image is built of it. */
async function readDockerfileOf(
  environment: TaskEnvironment,
  options: EnvironmentOptions & { workdir: string | undefined },
): Promise<void> {
  const { source, base, losses } = options;
  const file = `${base}environment/Dockerfile`;
  if (!(await source.find(file))) return;
  const read = new Losses();
  const built = readDockerfile(await readText(source, file), file, read);
  const { workdir = '/', user = 'root' } = built;
  const rootKey = workdir === '/' ? (built.rootWorkdirKey ?? 'WORKDIR') : undefined;
  const instead = `the working directory / cannot be written: ${DEFAULT_WORKDIR} instead`;
  if (rootKey === undefined) environment.workdir = workdir;
  else read.changed(file, rootKey, instead);
  const problem = unwritable(options.workdir ?? environment.workdir, false);
  if (problem !== undefined) built.missing.push(`${file}: ${problem}`);
  const plain = { ...environment, files: [], missing: [...built.missing] };
  for (const copy of built.copies) {
    const found = await copiedFiles(copy, source, `${base}environment`);
    if (found.length === 0) built.unbuildable.push('a build would not find what it copies');
    await readCopy(copy, { ...options, losses: read, environment: plain, file });
  }
  if (plain.missing.length === 0 || built.unbuildable.length > 0) {
    losses.add(read);
    environment.packages.push(...built.packages);
    environment.missing.push(...plain.missing);
    environment.files.push(...plain.files);
    Object.assign(environment.env, built.env);
    return;
  }
  const [reason = ''] = plain.missing;
  losses.carried(file, 'Dockerfile', `sandbox.dockerfile of the case, since ${reason}`);
  if (rootKey !== undefined) losses.changed(file, rootKey, instead);
  losses.changed(file, 'modes', 'files that it copies have the mode 755');
  const runAsRoot = /^(root|0)(:|$)/.test(user);
  if (!runAsRoot) losses.changed(file, 'USER', 'processes of the sandbox run as uid 1000, whatever its name');
  environment.image = { files: await options.filesOf('environment'), runAsRoot };
}

interface CopyContext extends EnvironmentOptions {
  environment: TaskEnvironment;
  file: string;
}

async function readCopy(copy: Copy, context: CopyContext): Promise<void> {
  const { losses, environment, file } = context;
  const key = `COPY (line ${copy.line})`;
  const problem = await stageCopy(copy, context);
  if (problem === undefined) return;
  losses.dropped(file, key, problem);
  environment.missing.push(`${file}: ${problem}`);
}

/** Adds the copied files; returns the reason where that is impossible. */
async function stageCopy(copy: Copy, { source, base, losses, environment, file }: CopyContext) {
  const key = `COPY (line ${copy.line})`;
  const context = `${base}environment`;
  const found = await copiedFiles(copy, source, context);
  if (found.length === 0) return `no file of the build's folder is ${copy.sources.join(' or ')}`;
  const relative = path.relative(environment.workdir, copy.destination);
  const isInside = !relative.startsWith('..');
  // Agents read skills wherever they are; other files are needed at their very location.
  if (!isInside && !found.every(({ from }) => /(^|\/)skills\//.test(from))) {
    return `${copy.destination} is outside of the working directory ${environment.workdir}: it needs an image`;
  }
  const files: TaskEnvironment['files'] = [];
  for (const { from, to } of found) {
    const bytes = await source.read(from);
    const content = textOf(bytes);
    if (content === undefined) return `${from} is no text: a binary file needs an image`;
    if (bytes.length > INLINE_BYTES_MAX)
      return `${from} has more than ${INLINE_BYTES_MAX} bytes: it needs an image`;
    files.push({ path: path.join(isInside ? relative : copy.destination.slice(1), to), content });
  }
  environment.files.push(...files);
  const names = files.map((each) => each.path).join(', ');
  if (isInside) losses.carried(file, key, `payload.workspace_files: ${names}`);
  else losses.changed(file, key, `in the working directory instead of ${copy.destination}: ${names}`);
  return undefined;
}

/** Files of a copy with their locations below its destination. */
async function copiedFiles({ sources, isFolder }: Copy, source: ImportSource, context: string) {
  const files = (await source.list(context).catch(() => [])).filter(isFile);
  const found: { from: string; to: string }[] = [];
  for (const given of sources) {
    const name = path.join(context, given).replace(/\/+$/, '');
    if (name !== context && !name.startsWith(`${context}/`)) return [];
    const pattern = globPattern(name);
    for (const { path: from } of files) {
      const isBuildFile = from === `${context}/Dockerfile` && given.replace(/^\.\//, '') !== 'Dockerfile';
      if (isBuildFile) continue;
      if (from.startsWith(`${name}/`)) found.push({ from, to: from.slice(name.length + 1) });
      else if (pattern.test(from)) found.push({ from, to: isFolder ? path.basename(from) : '' });
    }
  }
  return found;
}

/** `*` and `?` within one segment. */
function globPattern(name: string): RegExp {
  const source = name.replace(/[.*+?^${}()|[\]\\]/g, (character) =>
    character === '*' ? '[^/]*' : character === '?' ? '[^/]' : `\\${character}`,
  );
  return new RegExp(`^${source}$`);
}

interface SettingsContext {
  environment: TaskEnvironment;
  losses: Losses;
}

const MEBIBYTES: Readonly<Record<string, number>> = { K: 1 / 1_024, M: 1, G: 1_024, T: 1_048_576 };

function readSettings(table: TableReader, context: SettingsContext): void {
  const { environment, losses } = context;
  const { where } = table;
  const cpu = table.number('cpus');
  if (cpu !== undefined && cpu > 0) {
    environment.cpu = cpu;
    losses.carried(where, table.at('cpus'), 'cpu of the sandbox');
  }
  readMemory(table, context);
  readStorage(table, context);
  readNetwork(table, context);
  readVariables(table, context);
  readAccelerators(table, context);
  readServers(table, context);
  const os = table.string('os');
  if (os === 'linux') losses.carried(where, table.at('os'), 'sandboxes are Linux');
  else if (os !== undefined) {
    losses.dropped(where, table.at('os'), 'sandboxes are Linux');
    environment.missing.push(`${where}: it needs ${os}`);
  }
  if (table.any('build_timeout_sec') !== undefined) {
    losses.dropped(where, table.at('build_timeout_sec'), 'nothing is built');
  }
  if (table.string('skills_dir') !== undefined) {
    losses.changed(
      where,
      table.at('skills_dir'),
      'the files are in the working directory; to install them where an agent looks for skills, name them as skills of its deployment',
    );
  }
  if (table.any('healthcheck') !== undefined) {
    losses.dropped(where, table.at('healthcheck'), 'the sandbox has no services to wait for');
  }
  for (const key of table.unread()) losses.dropped(where, table.at(key), 'unknown key');
}

function readMemory(table: TableReader, { environment, losses }: SettingsContext): void {
  const given = table.number('memory_mb');
  const old = table.string('memory');
  const memory = given ?? (old === undefined ? undefined : mebibytes(table, old));
  if (memory === undefined || memory <= 0) return;
  environment.memoryMb = Math.ceil(memory);
  losses.carried(
    table.where,
    table.at(given === undefined ? 'memory' : 'memory_mb'),
    'memory of the sandbox',
  );
}

function mebibytes(table: TableReader, text: string): number {
  const [, amount = '', unit = 'M'] = /^(\d+(?:\.\d+)?)\s*([KMGT])?i?b?$/i.exec(text.trim()) ?? [];
  if (amount === '') throw table.fail('memory', 'expected a size such as "4G"');
  return Number(amount) * (MEBIBYTES[unit.toUpperCase()] ?? 1);
}

function readStorage(table: TableReader, { losses }: SettingsContext): void {
  for (const key of ['storage_mb', 'storage']) {
    if (table.any(key) === undefined) continue;
    const reason =
      'a disk of a sandbox holds only the workspace, not the image: its size is that of the runtime profile, or filesystem.max_workspace_bytes';
    losses.changed(table.where, table.at(key), reason);
  }
}

function readNetwork(table: TableReader, { environment, losses }: SettingsContext): void {
  const { where } = table;
  const allowed = table.boolean('allow_internet');
  const mode = table.string('network_mode')?.replaceAll('_', '-');
  const key = table.at(mode === undefined ? 'allow_internet' : 'network_mode');
  if (table.any('allowed_hosts') !== undefined)
    losses.dropped(where, table.at('allowed_hosts'), 'a pack allows address ranges, and no host names');
  if (mode === 'allowlist') {
    const reason = 'its network has certain hosts alone: a pack allows address ranges, and no host names';
    losses.dropped(where, key, reason);
    environment.missing.push(`${where}: ${reason}`);
  } else if (mode === undefined && allowed === undefined) {
    const reason =
      "Harbor's default is the open internet; here it is none: set sandbox.network_access to open it";
    losses.changed(where, key, reason);
  } else {
    environment.isOnline = mode === undefined ? allowed === true : mode === 'public';
    losses.carried(where, key, `sandbox.network_access: ${environment.isOnline}`);
  }
}

function readVariables(table: TableReader, { environment, losses }: SettingsContext): void {
  const variables = table.variables('env') ?? {};
  for (const [name, text] of Object.entries(variables)) {
    const key = `${table.at('env')}.${name}`;
    const { value, reason } = literalOf(text);
    if (!/^[A-Za-z_]\w*$/.test(name)) losses.dropped(table.where, key, 'this is no name of a variable');
    else if (value === undefined) losses.dropped(table.where, key, reason);
    else {
      environment.env[name] = value;
      if (reason === '') losses.carried(table.where, key, 'a variable of the sandbox');
      else losses.changed(table.where, key, reason);
    }
  }
}

function readAccelerators(table: TableReader, { environment, losses }: SettingsContext): void {
  const count = table.number('gpus');
  if (count === 0) losses.carried(table.where, table.at('gpus'), 'none is needed');
  else if (count !== undefined) {
    losses.dropped(table.where, table.at('gpus'), 'sandboxes have no GPU');
    environment.missing.push(`${table.where}: it needs ${count} GPU`);
  }
  for (const key of ['gpu_types', 'tpu']) {
    if (table.any(key) !== undefined)
      losses.dropped(table.where, table.at(key), 'sandboxes have no accelerators');
  }
}
