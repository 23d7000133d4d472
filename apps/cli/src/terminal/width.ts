import stringWidth from 'string-width';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const STYLE_OR_TEXT = /\u001b\[[0-9;]*m|[^\u001b]+|\u001b/g;
const ESCAPE = '\u001b';
const characters = new Intl.Segmenter();

/** Columns that a text takes on a terminal; styles take none, East Asian wide characters and emoji two. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** The text cut to so many columns, between two characters; its styles are kept, and closed where it is cut. */
export function fit(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  for (const part of partsOf(text)) {
    width += displayWidth(part);
    if (width > columns - 1) break;
    kept += part;
  }
  return kept.includes(ESCAPE) ? `${kept}…${ESCAPE}[0m` : `${kept}…`;
}

/** Styles, and the characters between them as a reader sees them. */
function* partsOf(text: string): Generator<string> {
  for (const [part] of text.matchAll(STYLE_OR_TEXT)) {
    if (part.startsWith(ESCAPE)) yield part;
    else for (const { segment } of characters.segment(part)) yield segment;
  }
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - displayWidth(text))) + text;
}
