// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const STYLE = /\u001b\[[0-9;]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const PARTS = /\u001b\[[0-9;]*m|./gsu;
const ESCAPE = '\u001b';
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns that a text takes on a terminal; styles take none, East Asian wide characters and emoji two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text.replace(STYLE, '')) {
    if (!NO_WIDTH.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** The text cut to so many columns; its styles are kept, and closed where it is cut. */
export function fit(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  for (const [part] of text.matchAll(PARTS)) {
    width += displayWidth(part);
    if (width > columns - 1) break;
    kept += part;
  }
  return kept.includes(ESCAPE) ? `${kept}…${ESCAPE}[0m` : `${kept}…`;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - displayWidth(text))) + text;
}
