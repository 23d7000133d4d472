import type { z } from 'zod';
import { definitionOf, madeFrom, membersOf } from '../schema-parts.js';
import { READERS } from '../variables.js';
import { WORDS } from './words.js';

interface Variable {
  name: string;
  /** As the schema has it; undefined when there is none. */
  fallback: string | undefined;
  isNeeded: boolean;
}

/** Every variable of every service: a table for those that all read, then one for each group of readers. */
export function environmentMarkdown(): string {
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

/** The names that have words, and those that a service reads. */
export function variableNames(): { told: string[]; read: string[] } {
  const read = Object.values(READERS).flatMap(({ schema }) => variablesIn(schema).map(({ name }) => name));
  return { told: Object.keys(WORDS), read: [...new Set(read)] };
}

function tableOf(title: string, names: readonly string[], variables: ReadonlyMap<string, Variable>): string {
  const rows = names.map((name) => {
    const variable = variables.get(name);
    return `| \`${name}\` | ${variable === undefined ? '' : fallbackText(variable)} | ${WORDS[name]?.says ?? ''} |`;
  });
  return [`## ${title}`, '', '| Variable | Default | |', '|---|---|---|', ...rows].join('\n');
}

function titleOf(services: readonly string[]): string {
  return services.length === Object.keys(READERS).length ? 'All services' : services.join(', ');
}

function fallbackText({ name, fallback, isNeeded }: Variable): string {
  const told = WORDS[name]?.byDefault;
  if (told !== undefined) return told;
  if (isNeeded) return '**needed**';
  return fallback === undefined || fallback === '' ? '' : `\`${fallback}\``;
}

function variablesIn(schema: z.core.$ZodType): Variable[] {
  return [
    ...membersOf(schema).map(([name, part]) => ({ name, ...absence(part) })),
    ...madeFrom(schema).flatMap(variablesIn),
  ];
}

/** What becomes of a variable that is not there. */
function absence(schema: z.core.$ZodType): Pick<Variable, 'fallback' | 'isNeeded'> {
  const definition = definitionOf(schema);
  if (definition.type === 'default' || definition.type === 'prefault') {
    return { fallback: String(definition.defaultValue), isNeeded: false };
  }
  if (definition.type === 'optional') return { fallback: undefined, isNeeded: false };
  const [inner] = madeFrom(schema);
  return inner === undefined ? { fallback: undefined, isNeeded: true } : absence(inner);
}
