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

/**
 * The same of no more than so many characters; of lines the first keeps a third of them and the last the rest, since the
 * output of a program names its failure at the end.
 */
export function oneLineWithEnd(given: string, charactersMax: number): string {
  const whole = oneLine(given);
  if ([...whole].length <= charactersMax) return whole;
  const text = given.replace(DIGEST, '$1…');
  const flat = oneLine(text);
  const [first = '', ...others] = text.split('\n');
  if (others.length === 0 || [...flat].length <= charactersMax) return oneLine(text, charactersMax);
  const head = oneLine(first, Math.floor(charactersMax / 3));
  const rest = charactersMax - [...head].length - ' … '.length;
  return `${head} … ${[...flat].slice(-rest).join('').trimStart()}`;
}

/** Of an image, which would hide what is wrong with it. */
const DIGEST = /\b(sha256:[0-9a-f]{12})[0-9a-f]{52}\b/g;

function visible(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
