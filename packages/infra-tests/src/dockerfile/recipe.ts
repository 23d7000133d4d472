import { readFileSync } from 'node:fs';
import {
  type Copy,
  DockerfileParser,
  type From,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast';

/** One instruction with its words as they stand; variables are not yet replaced. */
export interface Step {
  keyword: string;
  /** Everything after the keyword and its flags; lines that continue are joined. */
  text: string;
  flags: Readonly<Record<string, string>>;
  /** The words of a command in JSON form. */
  words?: readonly string[];
  line: number;
}

export interface Stage {
  name: string;
  /** A base image, or the name of an earlier stage. */
  from: string;
  steps: readonly Step[];
}

/** A Dockerfile as data. */
export interface Recipe {
  /** What may be given to all stages, before the first. */
  arguments: Readonly<Record<string, string>>;
  stages: readonly Stage[];
}

export function readRecipe(file: string): Recipe {
  return parseRecipe(readFileSync(file, 'utf8'));
}

export function parseRecipe(text: string): Recipe {
  const instructions = DockerfileParser.parse(text).getInstructions();
  const firstStage = instructions.findIndex((instruction) => instruction.getKeyword() === 'FROM');
  const given = instructions.slice(0, firstStage).map((instruction) => argumentOf(stepOf(instruction).text));
  const stages: { name: string; from: string; steps: Step[] }[] = [];
  for (const instruction of instructions.slice(firstStage)) {
    if (instruction.getKeyword() === 'FROM') {
      const from = instruction as From;
      stages.push({ name: from.getBuildStage() ?? '', from: from.getImage() ?? '', steps: [] });
    } else {
      stages.at(-1)?.steps.push(stepOf(instruction));
    }
  }
  return { arguments: Object.fromEntries(given.map(([name, value]) => [name, value ?? ''])), stages };
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
  const words = (instruction as JSONInstruction).getJSONStrings?.().map((word) => unquoted(word.getValue()));
  return {
    keyword,
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    text: rest
      .replace(/^(?:--\S+\s+)+/, '')
      .replace(/\\\r?\n/g, ' ')
      .trim(),
    ...(words !== undefined && words.length > 0 && { words }),
    line: instruction.getRange().start.line + 1,
  };
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/s, '$1');
}
