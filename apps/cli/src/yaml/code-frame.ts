import { printable } from '../terminal/printable.js';

const LINES_ABOVE = 2;
const WIDTH_MAX = 100;

/** The line of a problem with its neighbours above and a caret below its place (line and column from 1). */
export function codeFrame(text: string, { line, column }: { line: number; column: number }): string {
  const lines = text.split('\n');
  const first = Math.max(1, line - LINES_ABOVE);
  const width = String(line).length;
  // Of a long line the part around the place is shown, of its neighbours the same part.
  const from = Math.max(0, column - 1 - Math.floor(WIDTH_MAX / 2));
  const shown = (number: number) => part(lines[number - 1] ?? '', from);
  const rows = Array.from({ length: line - first + 1 }, (_, index) => {
    const number = first + index;
    return `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${shown(number)}`.trimEnd();
  });
  const before = part((lines[line - 1] ?? '').slice(0, column - 1), from);
  return [...rows, `  ${' '.repeat(width)} | ${' '.repeat([...before].length)}^`].join('\n');
}

/** A tab is shown as an arrow: it is often the fault itself. */
function part(line: string, from: number): string {
  return printable(
    line
      .slice(from, from + WIDTH_MAX)
      .replace(/\r$/, '')
      .replaceAll('\t', '→'),
  );
}
