/** One change of a text: `text` replaces the characters from `start` to `end` (UTF-16 code units). */
export interface Edit {
  /** A key of the tables of operators. */
  operator: string;
  start: number;
  end: number;
  text: string;
}

const DIFF_LINES_MAX = 12;
const LINE_LENGTH_MAX = 200;

export function applied(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** 1-based. */
export function lineOf(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line++;
  return line;
}

/** The lines that an edit changes, `-` before and `+` after; long ones are cut. */
export function diffOf(source: string, edit: Edit): string {
  const from = source.lastIndexOf('\n', edit.start - 1) + 1;
  const next = source.indexOf('\n', edit.end);
  const to = next === -1 ? source.length : next;
  const before = source.slice(from, to).split('\n');
  const after = (source.slice(from, edit.start) + edit.text + source.slice(edit.end, to)).split('\n');
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const changed = (lines: string[]) => lines.slice(head, lines.length - tail);
  return [...marked('-', changed(before)), ...marked('+', changed(after))].join('\n');
}

function marked(sign: '-' | '+', lines: readonly string[]): string[] {
  const shown = lines.slice(0, DIFF_LINES_MAX).map((line) => sign + cut(line));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `${sign}… ${more} more lines`] : shown;
}

function cut(line: string): string {
  return line.length > LINE_LENGTH_MAX ? `${line.slice(0, LINE_LENGTH_MAX)}…` : line;
}

/** In the order of the text; of edits with one result only the first. */
export function ordered(source: string, edits: readonly Edit[]): Edit[] {
  const known = new Set<string>();
  const sorted = [...edits].sort(
    (a, b) =>
      a.start - b.start || a.end - b.end || compare(a.text, b.text) || compare(a.operator, b.operator),
  );
  return sorted.filter((edit) => {
    const core = coreOf(source, edit);
    if (core === undefined || known.has(core)) return false;
    known.add(core);
    return true;
  });
}

/** The change without what it leaves as it is, so that equal results have equal keys; undefined where nothing changes. */
function coreOf(source: string, { start, end, text }: Edit): string | undefined {
  let head = 0;
  const length = Math.min(end - start, text.length);
  while (head < length && source[start + head] === text[head]) head++;
  let tail = 0;
  while (tail < length - head && source[end - 1 - tail] === text[text.length - 1 - tail]) tail++;
  if (end - start === text.length && head === text.length) return undefined;
  return `${start + head}\0${end - tail}\0${text.slice(head, text.length - tail)}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
