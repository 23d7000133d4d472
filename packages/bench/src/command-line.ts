import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { chosenOf, parseFlags, positiveInteger } from '@agentclash/e2e';
import { WORKLOADS } from './attempts/workloads.js';
import type { Volume } from './measurement/volume.js';

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
  const { values, positionals } = parseFlags(words, FLAGS);
  const only = values.only === undefined ? undefined : chosenOf(values.only, '--only', workloadKeys());
  const other = positionals.find((name) => !sets.includes(name));
  if (other !== undefined) throw new Error(`"${other}" is none of the sets: ${sets.join(', ')}.`);
  return {
    isHelp: values.help,
    names: positionals.length === 0 ? sets : positionals,
    options: {
      data: path.resolve(values.data ?? data),
      attempts: values.attempts === undefined ? undefined : positiveInteger(values.attempts, '--attempts'),
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

function workloadKeys(): string[] {
  return WORKLOADS.map(({ key }) => key);
}
