import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { contextFiles } from './build-context.js';
import { reaching } from './config.js';
import { argumentOf, pairsOf, type Recipe, type Stage, type Step } from './recipe.js';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 << 20;
/** What the machine lends a stage that stands on an image of a distribution. */
const LENT = [
  '/usr',
  '/etc/alternatives',
  '/etc/ssl',
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/passwd',
  '/etc/group',
];
const LINKS = ['bin', 'sbin', 'lib', 'lib64'];
const NODE_TARGETS = ['/usr/local/bin/node', '/usr/bin/node'];

/** What came out of a stage: its files, and how a container of it is started. */
export interface Image {
  /** Everything that the stage wrote; for a stage from scratch, the whole of the image. */
  root: string;
  isFromScratch: boolean;
  environment: Record<string, string>;
  workingDirectory: string;
  user: string;
  command: readonly string[];
  labels: Record<string, string>;
}

export interface KitchenOptions {
  recipe: Recipe;
  /** The folder that COPY copies from, and which of its files. */
  context: string;
  ignoreFile: string;
  /** Where stages are laid out. */
  folder: string;
  /** Keeps what `RUN --mount=type=cache` keeps. */
  cache: string;
  /** The program that base images carry as `node`. Default: the one that runs this. */
  node?: string;
  log?: (line: string) => void;
}

/**
 * Follows a Dockerfile without a container engine: each stage is a folder, RUN a shell in it under bubblewrap, to which
 * this machine lends its `/usr` in place of the base image's, where another Node.js may stand in for its own. Packages
 * of the distribution are not installed: they must be there.
 */
export class Kitchen {
  readonly #images = new Map<string, Promise<Image>>();

  constructor(private readonly options: KitchenOptions) {}

  /** Builds a stage and whatever it copies from, once for the same arguments. Throws with what a step printed. */
  image(target: string, given: Readonly<Record<string, string>>): Promise<Image> {
    const stage = this.#stage(target);
    if (stage === undefined) throw new Error(`there is no stage ${target}`);
    const asked = this.#argumentsOf(stage);
    const key = JSON.stringify([target, Object.entries(given).filter(([name]) => asked.has(name))]);
    const known = this.#images.get(key);
    if (known) return known;
    const image = this.#follow(
      stage,
      given,
      path.join(this.options.folder, `${target}-${this.#images.size}`),
    );
    this.#images.set(key, image);
    return image;
  }

  #stage(name: string): Stage | undefined {
    return this.options.recipe.stages.find((stage) => stage.name === name);
  }

  /** What the stage, and those that it stands on or copies from, ask for: what else is given changes nothing. */
  #argumentsOf(stage: Stage): Set<string> {
    const names = stage.steps
      .filter(({ keyword }) => keyword === 'ARG')
      .map(({ text }) => argumentOf(text)[0]);
    const sources = [stage.from, ...stage.steps.map(({ flags }) => flags.from ?? '')];
    const others = sources.map((source) => this.#stage(source)).filter((source) => source !== undefined);
    return new Set([...names, ...others.flatMap((other) => [...this.#argumentsOf(other)])]);
  }

  async #follow(stage: Stage, given: Readonly<Record<string, string>>, root: string): Promise<Image> {
    mkdirSync(root, { recursive: true });
    const state = await this.#start(stage, given, root);
    for (const step of stage.steps) {
      this.options.log?.(`${stage.name}: ${step.keyword} ${step.text.slice(0, 120)}`);
      const act = STEPS[step.keyword];
      if (act === undefined) throw new Error(`line ${step.line}: ${step.keyword} is not known here`);
      await act(state, step);
    }
    return state.image;
  }

  async #start(stage: Stage, given: Readonly<Record<string, string>>, root: string): Promise<State> {
    const from = expand(stage.from, { ...this.options.recipe.arguments, ...given });
    const base = this.#stage(from) ? await this.image(from, given) : undefined;
    if (base) copyFolder(base.root, root);
    else if (from !== 'scratch') for (const link of LINKS) symlinkSync(`usr/${link}`, path.join(root, link));
    const image: Image = {
      root,
      isFromScratch: base?.isFromScratch ?? from === 'scratch',
      environment: {
        ...(base?.environment ??
          (from === 'scratch' ? {} : { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' })),
      },
      workingDirectory: base?.workingDirectory ?? '/',
      user: base?.user ?? '0:0',
      command: base?.command ?? [],
      labels: { ...base?.labels },
    };
    const source = (name: string) => this.image(name, given);
    return { image, given, variables: {}, options: this.options, source };
  }
}

interface State {
  image: Image;
  given: Readonly<Record<string, string>>;
  /** Arguments that the stage has asked for. */
  variables: Record<string, string>;
  options: KitchenOptions;
  source: (stage: string) => Promise<Image>;
}

const STEPS: Readonly<Record<string, (state: State, step: Step) => Promise<void> | void>> = {
  ARG: ({ variables, given, options }, { text }) => {
    const [name, standard] = argumentOf(text);
    variables[name] = given[name] ?? standard ?? options.recipe.arguments[name] ?? '';
  },
  ENV: (state, { text }) => {
    for (const [name, value] of pairsOf(text)) state.image.environment[name] = expandIn(state, value);
  },
  LABEL: (state, { text }) => {
    for (const [name, value] of pairsOf(text)) state.image.labels[name] = expandIn(state, value);
  },
  WORKDIR: (state, { text }) => {
    state.image.workingDirectory = path.posix.resolve(state.image.workingDirectory, expandIn(state, text));
    mkdirSync(path.join(state.image.root, state.image.workingDirectory), { recursive: true });
  },
  USER: ({ image }, { text }) => {
    image.user = text;
  },
  CMD: ({ image }, { words }) => {
    image.command = words ?? [];
  },
  ENTRYPOINT: ({ image }, { words }) => {
    image.command = words ?? [];
  },
  EXPOSE: () => {},
  STOPSIGNAL: () => {},
  COPY: async (state, { text, flags }) => {
    const words = expandIn(state, text).split(/\s+/);
    const target = words.pop() ?? '';
    const { from } = flags;
    const source = from === undefined ? undefined : await state.source(from);
    for (const word of words) {
      if (source) copyTo(state.image, path.join(source.root, word), target);
      else copyContext(state, word, target);
    }
  },
  RUN: async (state, { text, flags }) => {
    const packages = /^sh \/opt\/install-packages\.sh "[^"]+" (.+)$/.exec(text)?.[1];
    if (packages) return assertInstalled(packages.split(/\s+/));
    const { image, variables, options } = state;
    const environment = { ...reaching, ...image.environment, ...variables, HOME: '/root' };
    const mounts = [...(flags.mount ?? '').matchAll(/target=([^,\s]+)/g)].flatMap(([, target = '']) => {
      mkdirSync(path.join(options.cache, target), { recursive: true });
      return ['--bind', path.join(options.cache, target), target];
    });
    mounts.push(...nodeMounts(options.node ?? process.execPath));
    const shell = { environment, workingDirectory: image.workingDirectory, mounts };
    await runIn(image, shell, ['/bin/sh', '-c', text]);
  },
};

function expandIn({ image, variables }: State, text: string): string {
  return expand(text, { ...variables, ...image.environment });
}

function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => variables[name] ?? '');
}

/** A folder's content goes into the target; a file becomes it, or goes into it when that ends with a slash. */
function copyTo(image: Image, source: string, target: string): void {
  const at = path.posix.resolve(image.workingDirectory, target);
  const isFolder = statSync(source).isDirectory();
  const place = !isFolder && target.endsWith('/') ? path.posix.join(at, path.basename(source)) : at;
  mkdirSync(path.join(image.root, path.posix.dirname(place)), { recursive: true });
  if (isFolder) copyFolder(source, path.join(image.root, place));
  else cpSync(source, path.join(image.root, place), { verbatimSymlinks: true, preserveTimestamps: true });
}

/** By `cp`, which takes a fraction of the time that Node.js needs for the files of an image. */
function copyFolder(source: string, target: string): void {
  mkdirSync(target, { recursive: true });
  execFileSync('cp', ['--archive', '--reflink=auto', `${source}/.`, target]);
}

function copyContext({ image, options }: State, source: string, target: string): void {
  const wanted = path.posix.normalize(source).replace(/\/$/, '');
  const files = contextFiles(options.context, options.ignoreFile).filter(
    (file) => wanted === '.' || file === wanted || file.startsWith(`${wanted}/`),
  );
  if (files.length === 0) throw new Error(`COPY ${source}: the build context has no such file`);
  for (const file of files) {
    const below = wanted === '.' ? file : file.slice(wanted.length + 1);
    copyTo(image, path.join(options.context, file), below === '' ? target : path.posix.join(target, below));
  }
}

function assertInstalled(packages: string[]): void {
  const missing = packages.filter((name) => spawnSync('dpkg', ['--status', name]).status !== 0);
  if (missing.length > 0)
    throw new Error(`this machine lacks ${missing.join(', ')}, which the image would install`);
}

interface Shell {
  environment: Record<string, string>;
  workingDirectory: string;
  mounts: string[];
}

async function runIn(
  image: Image,
  { environment, workingDirectory, mounts }: Shell,
  command: string[],
): Promise<void> {
  const args = [
    ...[
      '--bind',
      image.root,
      '/',
      ...lent(),
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--tmpfs',
      '/tmp',
      ...mounts,
    ],
    ...['--die-with-parent', '--unshare-pid', '--clearenv', '--chdir', workingDirectory],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...command,
  ];
  try {
    await run('bwrap', args, { maxBuffer: OUTPUT_BYTES_MAX });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`.slice(-8_000), { cause: error });
  }
}

/** Puts a Node.js over those of the machine's own `/usr`. */
function nodeMounts(program: string): string[] {
  return NODE_TARGETS.filter((target) => existsSync(target)).flatMap((target) => [
    '--ro-bind',
    program,
    realpathSync(target),
  ]);
}

function lent(): string[] {
  return LENT.filter((place) => existsSync(place)).flatMap((place) => ['--ro-bind', place, place]);
}
