import { readFileSync } from 'node:fs';
import {
  type Copy,
  DockerfileParser,
  type From,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast';

/** One instruction; variables in it are not replaced. */
interface Step {
  keyword: string;
  /** Everything after the keyword and its flags; continued lines are joined. */
  text: string;
  flags: Readonly<Record<string, string>>;
  /** The words of a command in JSON form. */
  json?: readonly string[];
  line: number;
}

export interface Stage {
  name: string;
  /** A base image, or the name of an earlier stage. */
  from: string;
  steps: readonly Step[];
}

export interface Dockerfile {
  /** Build arguments of all stages: those before the first FROM. */
  arguments: Readonly<Record<string, string>>;
  stages: readonly Stage[];
}

/** A target of docker-bake.json. */
export interface BuildTarget {
  inherits?: string[];
  target?: string;
  args?: Record<string, string>;
  tags?: string[];
  attest?: string[];
  platforms?: string[];
}

export function readDockerfile(file: string): Dockerfile {
  return parseDockerfile(readFileSync(file, 'utf8'));
}

export function parseDockerfile(text: string): Dockerfile {
  const instructions = DockerfileParser.parse(text).getInstructions();
  const firstStage = instructions.findIndex((instruction) => instruction.getKeyword() === 'FROM');
  const globals = instructions
    .slice(0, firstStage)
    .map((instruction) => argumentOf(stepOf(instruction).text));
  const stages: { name: string; from: string; steps: Step[] }[] = [];
  for (const instruction of instructions.slice(firstStage)) {
    if (instruction.getKeyword() === 'FROM') {
      const from = instruction as From;
      stages.push({ name: from.getBuildStage() ?? '', from: from.getImage() ?? '', steps: [] });
    } else {
      stages.at(-1)?.steps.push(stepOf(instruction));
    }
  }
  return { arguments: Object.fromEntries(globals.map(([name, value]) => [name, value ?? ''])), stages };
}

/** `NAME=default` of an ARG. */
export function argumentOf(text: string): [name: string, value: string | undefined] {
  const [, name = '', value] = /^(\w+)(?:=(.*))?$/.exec(text) ?? [];
  return [name, value === undefined ? undefined : unquoted(value)];
}

/** The pairs of an ENV or a LABEL. */
export function pairsOf(text: string): [string, string][] {
  return [...text.matchAll(/([\w.-]+)=("(?:[^"\\]|\\.)*"|\S*)/g)].map(([, name = '', value = '']) => [
    name,
    unquoted(value),
  ]);
}

function stepOf(instruction: Instruction): Step {
  const keyword = instruction.getKeyword();
  const flags = (instruction as Copy).getFlags?.() ?? [];
  const rest = instruction.getRawArgumentsContent() ?? '';
  const json = (instruction as JSONInstruction).getJSONStrings?.().map((word) => unquoted(word.getValue()));
  return {
    keyword,
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    text: rest
      .replace(/^(?:--\S+\s+)+/, '')
      .replace(/\\\r?\n/g, ' ')
      .trim(),
    ...(json !== undefined && json.length > 0 && { json }),
    line: instruction.getRange().start.line + 1,
  };
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/s, '$1');
}

/** The targets of docker-bake.json by name, with the fields that they inherit. */
export function readBuildTargets(file: string): Record<string, BuildTarget> {
  const { target: targets } = JSON.parse(readFileSync(file, 'utf8')) as {
    target: Record<string, BuildTarget>;
  };
  return Object.fromEntries(
    Object.entries(targets).map(([name, target]) => {
      const inherited = (target.inherits ?? []).map((parent) => targets[parent] ?? {});
      const all = [...inherited, target];
      const args = Object.assign({}, ...all.map((part) => part.args));
      return [name, { ...Object.assign({}, ...all), args }];
    }),
  );
}

/** `24.21.0` of `docker.io/library/node:24.21.0-bookworm-slim`. */
export function nodeVersionOf(image: string): string {
  const version = /\bnode:(\d+\.\d+\.\d+)\b/.exec(image)?.[1];
  if (version === undefined) throw new Error(`${image} names no version of Node.js`);
  return version;
}
