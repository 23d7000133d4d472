import { CommandError } from '../command-error.js';

const CHOICES_MAX = 20;

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** There is nothing of that name; says what there is. */
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
