import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { repository } from '../repository.js';

export interface Step {
  id?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

interface Job {
  uses?: string;
  needs?: string | string[];
  container?: unknown;
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  steps?: Step[];
}

export interface Workflow {
  /** From the repository's root. */
  file: string;
  text: string;
  on: Record<string, unknown>;
  permissions?: Record<string, string>;
  defaults?: unknown;
  jobs: Record<string, Job>;
}

const FOLDER = '.github/workflows';

/** The workflows of the repository. Throws where one is no YAML or has a key twice. */
export function workflows(): Workflow[] {
  return readdirSync(path.join(repository, FOLDER)).map((name) => {
    const text = readFileSync(path.join(repository, FOLDER, name), 'utf8');
    return { ...parse(text), file: `${FOLDER}/${name}`, text };
  });
}

/** Every step of a workflow. */
export function stepsOf({ jobs }: Workflow): Step[] {
  return Object.values(jobs).flatMap(({ steps = [] }) => steps);
}

export interface NamedByCommands {
  /** Scripts of package.json. */
  scripts: string[];
  /** Files of the repository. */
  files: string[];
}

/** The scripts and files that the commands of a step name, and that the repository must have. */
export function namedByCommands(run: string): NamedByCommands {
  const names = (pattern: RegExp) => [...run.matchAll(pattern)].map(([, name = '']) => name);
  return {
    scripts: [...names(/\bnpm run ([\w:-]+)/g), ...names(/\bpnpm(?:@[\d.]+)? (?:run )?([a-z][\w:-]*)/g)],
    files: names(/(?:^|[\s(])((?:\.ci|infra|examples|docs|apps|packages)\/[\w./-]+)/gm).filter(
      (file) => !file.endsWith('base.json'),
    ),
  };
}
