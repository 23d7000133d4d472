import path from 'node:path/posix';
import { DockerfileParser, ModifiableInstruction } from 'dockerfile-ast';
import { ImportError } from '../framework/import-error.js';
import type { Losses } from '../framework/loss-report.js';
import { readRun } from './run-commands.js';

const DOCKERFILE_CHARACTERS_MAX = 65_536;

/** One `COPY` or `ADD` of files of the build's folder. */
export interface Copy {
  sources: string[];
  /** Absolute. */
  destination: string;
  /** True when the destination is a folder in any case. */
  isFolder: boolean;
  line: number;
}

/** The parts of a Dockerfile's result that a sandbox can have too. */
export interface BuiltEnvironment {
  workdir?: string | undefined;
  /** The last instruction that sets it, where that is not reported yet: the directory is `/`. */
  rootWorkdirKey?: string | undefined;
  /** That of the image; absent: root. */
  user?: string | undefined;
  packages: string[];
  env: Record<string, string>;
  copies: Copy[];
  /** Instructions that only an image can follow. */
  missing: string[];
  /** Why not even an image of it is enough. */
  unbuildable: string[];
}

/** Images whose files the Debian of the sandbox has too, and the package that brings what is beside them. */
const BASES: readonly { image: RegExp; packages: string[] }[] = [
  { image: /^(debian|ubuntu)([-_.]|$)/, packages: [] },
  { image: /^python([-_.]|$)/, packages: ['python3'] },
];

const WITHOUT_EFFECT: Partial<Record<string, string>> = {
  LABEL: 'a label has no effect on the sandbox',
  MAINTAINER: 'it has no effect on the sandbox',
  EXPOSE: 'ports inside a sandbox need no permission',
  STOPSIGNAL: 'sandboxes are ended with all their processes',
  HEALTHCHECK: 'the sandbox has no services to wait for',
  USER: 'all processes of a sandbox run as one ordinary user, uid 1000',
  VOLUME: 'the workspace is the only disk that is kept',
};

/** Flags by which files or commands come from elsewhere. */
const SPECIAL_FLAGS = new Set(['from', 'mount', 'network', 'security', 'parents', 'exclude', 'checksum']);

const IDLE_COMMAND = /^\W*((\/bin\/|\/usr\/bin\/)?(ba)?sh|sleep|tail)\b(?!.*(\.sh|-l?c\b))/;

/** Reads a Dockerfile as far as a Debian sandbox can be what it builds; the rest is reported and listed as missing. */
export function readDockerfile(text: string, file: string, losses: Losses): BuiltEnvironment {
  return new DockerfileReader(file, losses).read(text);
}

class DockerfileReader {
  readonly #built: BuiltEnvironment = {
    packages: [],
    env: {},
    copies: [],
    missing: [],
    unbuildable: [],
  };
  #stages = 0;

  constructor(
    private readonly file: string,
    private readonly losses: Losses,
  ) {}

  read(text: string): BuiltEnvironment {
    for (const { keyword, content, flags, line } of instructionsOf(text, this.file)) {
      const key = `${keyword} (line ${line})`;
      if (keyword === 'USER') this.#built.user = content;
      const ignored = WITHOUT_EFFECT[keyword];
      if (ignored !== undefined) this.losses.dropped(this.file, key, ignored);
      else if (flags.some((flag) => SPECIAL_FLAGS.has(flag))) {
        this.#needImage(key, `${keyword} with --${flags.join(', --')} needs an image: ${shortened(content)}`);
      } else this.#follow(keyword, { content, line, key });
    }
    if (this.#stages === 0) this.#cannotRun('FROM', 'the file names no image to start from');
    return this.#built;
  }

  #follow(keyword: string, { content, line, key }: { content: string; line: number; key: string }): void {
    const reason = this.#reasonForImage(keyword, { content, line, key });
    if (reason !== undefined) this.#needImage(key, reason);
  }

  /** Takes over an instruction; the reason why only an image can follow it. */
  #reasonForImage(
    keyword: string,
    { content, line, key }: { content: string; line: number; key: string },
  ): string | undefined {
    if (keyword === 'FROM') return this.#from(content, key);
    if (keyword === 'WORKDIR') return this.#workdir(content, key);
    if (keyword === 'ENV') return this.#env(content, key);
    if (keyword === 'RUN') {
      this.#run(content, key);
      return undefined;
    }
    if (keyword === 'COPY' || keyword === 'ADD') return this.#copy(content, line);
    const isCommand = keyword === 'CMD' || keyword === 'ENTRYPOINT';
    if (keyword === 'ENTRYPOINT' && !IDLE_COMMAND.test(content)) {
      this.#cannotRun(key, `no entry point is started in a sandbox: ${shortened(content)}`);
      return undefined;
    }
    if (!isCommand || !IDLE_COMMAND.test(content)) return `${keyword} needs an image: ${shortened(content)}`;
    this.losses.carried(this.file, key, 'the sandbox stays open without a command');
    return undefined;
  }

  #from(content: string, key: string): string | undefined {
    this.#stages += 1;
    this.#built.user = undefined;
    this.#built.workdir = undefined;
    if (this.#stages > 1) return 'a build in several stages needs an image';
    const [name = ''] = content.split(/\s+/);
    const last = (name.split('@')[0]?.split('/').at(-1) ?? '').replace(':', '-');
    const base = BASES.find(({ image }) => image.test(last));
    if (base === undefined) return `the image ${name} is no plain Debian, Ubuntu or Python`;
    this.#built.packages.push(...base.packages);
    const more = base.packages.length > 0 ? ` with ${base.packages.join(', ')}` : '';
    this.losses.changed(
      this.file,
      key,
      `${name} becomes the Debian of the sandbox${more}: versions may differ`,
    );
    return undefined;
  }

  #workdir(content: string, key: string): string | undefined {
    if (content.includes('$')) return 'a working directory made of variables needs an image';
    const { workdir: outer = '/', rootWorkdirKey } = this.#built;
    const workdir = path.resolve(outer, unquoted(content));
    const keys = [rootWorkdirKey, workdir === '/' ? undefined : key].filter((each) => each !== undefined);
    for (const each of keys) this.losses.carried(this.file, each, 'filesystem.working_directory');
    this.#built.workdir = workdir;
    this.#built.rootWorkdirKey = workdir === '/' ? key : undefined;
    return undefined;
  }

  #env(content: string, key: string): string | undefined {
    const pairs = variablePairs(content);
    if (pairs === undefined || pairs.some(([, value]) => value.includes('$'))) {
      return 'variables that are made of others need an image';
    }
    Object.assign(this.#built.env, Object.fromEntries(pairs));
    this.losses.carried(this.file, key, 'variables of the sandbox');
    return undefined;
  }

  #run(content: string, key: string): void {
    const { packages, changes, problems, harmless } = readRun(content);
    this.#built.packages.push(...packages);
    for (const change of changes) this.losses.changed(this.file, key, change);
    if (packages.length > 0) {
      this.losses.carried(this.file, key, `sandbox.additional_packages: ${packages.join(', ')}`);
    }
    const isMixed = packages.length + changes.length + problems.length > 0;
    if (!isMixed) this.losses.carried(this.file, key, 'the sandbox has it');
    else if (harmless.length > 0) {
      this.losses.carried(this.file, key, `not needed: ${harmless.map(shortened).join('; ')}`);
    }
    for (const problem of problems) {
      this.#needImage(key, `only an image can have run: ${shortened(problem)}`);
    }
  }

  #copy(content: string, line: number): string | undefined {
    const words = copyWords(content);
    const destination = words?.at(-1);
    const sources = words?.slice(0, -1) ?? [];
    const hasAll = destination !== undefined && sources.length > 0;
    if (!hasAll || [...sources, destination].some((word) => /^https?:|[$<]/.test(word))) {
      return `this copy needs an image: ${shortened(content)}`;
    }
    this.#built.copies.push({
      sources,
      destination: path.resolve('/', this.#built.workdir ?? '', destination),
      isFolder: sources.length > 1 || /(^|\/)\.?$/.test(destination),
      line,
    });
    return undefined;
  }

  #cannotRun(key: string, reason: string): void {
    this.#built.unbuildable.push(reason);
    this.#needImage(key, reason);
  }

  #needImage(key: string, reason: string): void {
    this.#built.missing.push(`${this.file}: ${reason}`);
    this.losses.dropped(this.file, key, reason);
  }
}

function instructionsOf(text: string, file: string) {
  if (text.length > DOCKERFILE_CHARACTERS_MAX) {
    throw new ImportError({
      file,
      message: `the file is longer than ${DOCKERFILE_CHARACTERS_MAX} characters`,
    });
  }
  try {
    return DockerfileParser.parse(text)
      .getInstructions()
      .map((instruction) => ({
        keyword: instruction.getKeyword(),
        content: (instruction.getArgumentsContent() ?? '').trim(),
        flags:
          instruction instanceof ModifiableInstruction
            ? instruction.getFlags().map((flag) => flag.getName())
            : [],
        line: instruction.getRange().start.line + 1,
      }));
  } catch {
    throw new ImportError({ file, message: 'the file is no Dockerfile' });
  }
}

/** The sources and the destination of a copy; undefined for what cannot be read. */
function copyWords(content: string): string[] | undefined {
  if (!content.startsWith('[')) return content.split(/\s+/).filter((word) => word !== '');
  try {
    const words: unknown = JSON.parse(content);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined;
  } catch {
    return undefined;
  }
}

function variablePairs(content: string): [string, string][] | undefined {
  const old = /^([A-Za-z_]\w*)\s+([^=].*)$/.exec(content);
  if (old?.[1] !== undefined && old[2] !== undefined) return [[old[1], unquoted(old[2])]];
  const found = [...content.matchAll(/\s*([A-Za-z_]\w*)=("[^"]*"|'[^']*'|\S*)/gy)];
  if (found.reduce((length, [all]) => length + all.length, 0) !== content.length) return undefined;
  return found.map(([, name = '', value = '']) => [name, unquoted(value)]);
}

function unquoted(text: string): string {
  return /^(".*"|'.*')$/.test(text) ? text.slice(1, -1) : text;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
