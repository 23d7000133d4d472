import { ApiError, type Client, routes } from '@agentclash/api';
import { CommandError } from '../command-error.js';

/** True when it may be the beginning or the end of an id. */
export function isIdPart(text: string): boolean {
  return text.length <= 36 && /^[0-9a-f-]+$/i.test(text) && digitsOf(text).length >= 4;
}

/** The one whose id begins or ends so, if there is one. Fails where there are several. */
export function matchIdPart<Item extends { id: string }>(
  items: readonly Item[],
  part: string,
  noun: string,
): Item | undefined {
  if (!isIdPart(part)) return undefined;
  const digits = digitsOf(part);
  const found = items.filter(({ id }) => digitsOf(id).startsWith(digits) || digitsOf(id).endsWith(digits));
  return onlyOne(found, { part, noun, idOf: ({ id }) => id });
}

/** True when it may name a run: the number, or a part of the id. */
export function isRunPart(text: string): boolean {
  return /^#?\d{1,10}$/.test(text) || isIdPart(text);
}

/** The id of a run, from its number, the id or a part of it; undefined where there is none. */
export async function findRunId(client: Client, reference: string): Promise<string | undefined> {
  if (isId(reference)) return reference;
  if (!isRunPart(reference)) return undefined;
  const { runs } = await idsWith(client, reference);
  if (runs.length > 1 && /^\d+$/.test(reference)) throw ambiguousNumber(reference, runs);
  return onlyOne(runs, { part: reference, noun: 'run', idOf: (id) => id });
}

/** The id of an attempt, in the same way. */
export async function findAttemptId(client: Client, reference: string): Promise<string | undefined> {
  if (isId(reference)) return reference;
  if (!isIdPart(reference)) return undefined;
  const { attempts } = await idsWith(client, reference);
  return onlyOne(attempts, { part: reference, noun: 'attempt', idOf: (id) => id });
}

const NONE = { runs: [], attempts: [] };

/** A server of an earlier release does not know the route. */
async function idsWith(client: Client, part: string): Promise<{ runs: string[]; attempts: string[] }> {
  try {
    return await client.call(routes.runs.findIds, { query: { part } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return NONE;
    throw error;
  }
}

interface IdPartQuery<Item> {
  part: string;
  noun: string;
  idOf: (item: Item) => string;
}

function onlyOne<Item>(found: readonly Item[], { part, noun, idOf }: IdPartQuery<Item>): Item | undefined {
  if (found.length < 2) return found[0];
  throw new CommandError('usage', `"${part}" is the beginning or the end of several ${noun} ids`, {
    hint: 'Give more of the id. Ids that were made at the same time begin alike: their last digits differ.',
    choices: choicesOf(found.map(idOf)),
  });
}

function ambiguousNumber(number: string, ids: readonly string[]): CommandError {
  return new CommandError('usage', `"${number}" is a number or a part of the id of several runs`, {
    hint: `'#${number}' is the run of that number alone; or give more of the id.`,
    choices: choicesOf(ids),
  });
}

function digitsOf(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}

const CHOICES_MAX = 20;

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** There is nothing of that name; lists what there is. */
export async function notFound(noun: string, name: string, names: readonly string[]): Promise<CommandError> {
  const { nearestName } = await import('@agentclash/challengepack');
  const nearest = nearestName(name, names);
  return new CommandError('not_found', `There is no ${noun} "${name}"`, {
    ...(nearest !== undefined && { hint: `Did you mean ${nearest}?` }),
    choices: choicesOf(names),
  });
}

export function choicesOf(names: readonly string[]): string[] {
  const more = names.length - CHOICES_MAX;
  return more > 0 ? [...names.slice(0, CHOICES_MAX), `and ${more} more`] : [...names];
}
