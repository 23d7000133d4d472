import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { WORKLOADS } from './attempts/workloads.js';
import type { Volume } from './volume.js';

/** Options of a set. */
export interface SetOptions extends Volume {
  /** The HumanEval data set. */
  data: string;
  /** Keys of the workloads of `attempts`. */
  only?: readonly string[] | undefined;
}

export interface CommandLine {
  isHelp: boolean;
  /** The sets, in the order they were named. */
  names: readonly string[];
  options: SetOptions;
  /** The file that takes the figures for programs. */
  json: string | undefined;
}

interface Known {
  sets: readonly string[];
  /** The HumanEval data set where none is named. */
  data: string;
}

const FLAGS = {
  attempts: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  json: { type: 'string' },
  only: { type: 'string' },
  quick: { type: 'boolean', default: false },
} as const;

export function usageOf(sets: readonly string[]): string {
  return `pnpm bench [set…] [options]: measured figures, as a table and as JSON

Sets, by default all: ${sets.join(', ')}

  --quick           next to nothing to do: whether each set still measures
  --attempts <n>    attempts of a set's largest run
  --only <key,key>  workloads of the set attempts: ${workloadKeys().join(', ')}
  --data <file>     the HumanEval data set
  --json <file>     write the figures there too, after each set
  -h, --help        this`;
}

/** Throws for any invalid argument, before anything is measured. */
export function readCommandLine(words: readonly string[], { sets, data }: Known): CommandLine {
  const { values, positionals } = parsed(words);
  const only = values.only?.split(',');
  refuseOthers('the sets', positionals, sets);
  refuseOthers('the keys of --only', only ?? [], workloadKeys());
  return {
    isHelp: values.help,
    names: positionals.length === 0 ? sets : positionals,
    options: {
      data: path.resolve(values.data ?? data),
      attempts: values.attempts === undefined ? undefined : positive(values.attempts, '--attempts'),
      only,
      isQuick: values.quick,
    },
    json: values.json,
  };
}

/** Throws where a file cannot be written; what it holds stays. */
export function checkWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw new Error(`The file of --json cannot be written: ${(error as Error).message}`);
  }
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: FLAGS, allowPositionals: true });
  } catch (error) {
    throw new Error(`${plain(error as Error)} --help lists the options.`);
  }
}

/** Node.js explains, over three lines, that a value which begins with a dash is ambiguous. */
function plain({ message }: Error): string {
  const [first = ''] = message.split('\n');
  const flag = /'(?:-\w, )?(--?[\w-]+)/.exec(first)?.[1];
  if (/ambiguous|missing/.test(first)) return `${flag} needs a value that does not begin with a dash.`;
  return first.startsWith('Unknown option') ? `There is no option ${flag}.` : `${first}.`;
}

function refuseOthers(what: string, given: readonly string[], known: readonly string[]): void {
  const other = given.find((each) => !known.includes(each));
  if (other !== undefined) throw new Error(`"${other}" is none of ${what}: ${known.join(', ')}.`);
}

function positive(text: string, flag: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${flag} must be a positive integer, not ${text}.`);
  return number;
}

function workloadKeys(): string[] {
  return WORKLOADS.map(({ key }) => key);
}
