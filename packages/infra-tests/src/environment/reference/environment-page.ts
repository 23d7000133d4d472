import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { definitionOf, madeFrom, membersOf, READERS } from '../variables.js';
import { DESCRIPTIONS } from './descriptions.js';

export const ENVIRONMENT_PAGE = path.resolve(
  import.meta.dirname,
  '../../../../../docs/reference/environment.md',
);

const BEGIN = '<!-- environment: written by `pnpm reference` -->';
const END = '<!-- end of the environment -->';

/** The page, generated from the schemas of the services. */
export function environmentPage(): string {
  const [before = '', rest = ''] = readFileSync(ENVIRONMENT_PAGE, 'utf8').split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${ENVIRONMENT_PAGE} has no place for the environment`);
  return `${before}${BEGIN}\n\n${environmentMarkdown()}\n\n${END}${after}`;
}

interface Variable {
  name: string;
  /** The default of the schema; undefined if there is none. */
  fallback: string | undefined;
  isNeeded: boolean;
}

/** Every variable of every service: a table of those that all services read, then one per group of services. */
function environmentMarkdown(): string {
  const readers = new Map<string, string[]>();
  const variables = new Map<string, Variable>();
  for (const [service, { schema }] of Object.entries(READERS)) {
    for (const variable of variablesIn(schema)) {
      variables.set(variable.name, variable);
      readers.set(variable.name, [...(readers.get(variable.name) ?? []), service]);
    }
  }
  const groups = new Map<string, string[]>();
  for (const [name, services] of readers) {
    const title = titleOf(services);
    groups.set(title, [...(groups.get(title) ?? []), name]);
  }
  const mostReadFirst = [...groups].sort(
    ([, left], [, right]) => readersOf(readers, right) - readersOf(readers, left),
  );
  return mostReadFirst.map(([title, names]) => tableOf(title, names, variables)).join('\n\n');
}

function readersOf(readers: ReadonlyMap<string, string[]>, [first = '']: readonly string[]): number {
  return readers.get(first)?.length ?? 0;
}

/** The names that have a description, and those that a service reads. */
export function variableNames(): { described: string[]; read: string[] } {
  const read = Object.values(READERS).flatMap(({ schema }) => variablesIn(schema).map(({ name }) => name));
  return { described: Object.keys(DESCRIPTIONS), read: [...new Set(read)] };
}

function tableOf(title: string, names: readonly string[], variables: ReadonlyMap<string, Variable>): string {
  const rows = names.map((name) => {
    const variable = variables.get(name);
    return `| \`${name}\` | ${variable === undefined ? '' : fallbackText(variable)} | ${DESCRIPTIONS[name]?.description ?? ''} |`;
  });
  return [`## ${title}`, '', '| Variable | Default | |', '|---|---|---|', ...rows].join('\n');
}

function titleOf(services: readonly string[]): string {
  return services.length === Object.keys(READERS).length ? 'All services' : services.join(', ');
}

function fallbackText({ name, fallback, isNeeded }: Variable): string {
  const described = DESCRIPTIONS[name]?.byDefault;
  if (described !== undefined) return described;
  if (isNeeded) return '**needed**';
  return fallback === undefined || fallback === '' ? '' : `\`${fallback}\``;
}

function variablesIn(schema: z.core.$ZodType): Variable[] {
  return [
    ...membersOf(schema).map(([name, part]) => ({ name, ...absence(part) })),
    ...madeFrom(schema).flatMap(variablesIn),
  ];
}

/** The effect of a missing variable. */
function absence(schema: z.core.$ZodType): Pick<Variable, 'fallback' | 'isNeeded'> {
  const definition = definitionOf(schema);
  if (definition.type === 'default' || definition.type === 'prefault') {
    return { fallback: String(definition.defaultValue), isNeeded: false };
  }
  if (definition.type === 'optional') return { fallback: undefined, isNeeded: false };
  const [inner] = madeFrom(schema);
  return inner === undefined ? { fallback: undefined, isNeeded: true } : absence(inner);
}
