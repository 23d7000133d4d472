/**
 * Control characters and direction marks: what agents, cases and names hold must not move the cursor, clear the
 * screen or reorder a line. Tabs and line ends are left.
 */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

/** Text of others, safe for a terminal: what would act on it is shown as its code. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === '\n' || character === '\t' ? character : visible(character),
  );
}

/** The same on one line, and not longer than the limit (in characters). */
export function oneLine(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  const flat = printable(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ');
  const characters = [...flat];
  return characters.length <= charactersMax ? flat : `${characters.slice(0, charactersMax - 1).join('')}…`;
}

function visible(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
