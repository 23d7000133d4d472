import type { ApiError, Problem } from '@agentclash/api';
import type { Output, Paint } from '../terminal/output.js';
import { oneLine, printable } from '../terminal/printable.js';

export type { Problem };

/** `file:line:column severity code message`; the message names the suggestion, if there is one. */
export function problemLine(file: string, problem: Problem, paint: Paint): string {
  const { line, column, severity, code, field, message } = problem;
  const color = severity === 'error' ? paint.red : paint.yellow;
  const position = paint.bold(`${oneLine(file)}:${line}:${column}`);
  const text = field === '' ? message : `${field}: ${message}`;
  return `${position} ${color(severity)} ${code} ${oneLine(text)}`;
}

/** A line for each problem; an error of the syntax also shows its position in the text, as there is no field to name. */
export function problemLines(
  { name, text }: { name: string; text: string },
  problems: readonly Problem[],
  paint: Paint,
): string {
  return problems
    .flatMap((problem) => {
      const line = problemLine(name, problem, paint);
      return problem.code === 'yaml_syntax' ? [line, paint.dim(codeFrame(text, problem))] : [line];
    })
    .join('\n');
}

/** Notes when a server lists only the first of very many problems. */
export function noteOmitted(count: unknown, out: Output): void {
  if (typeof count === 'number' && count > 0) out.note(`and ${count} problems more`);
}

/** The problems that a server found in a pack; undefined when it rejects the pack for another reason. */
export function packProblems({ code, errors }: ApiError): Problem[] | undefined {
  const isOfPack =
    code === 'invalid_pack' || errors.some(({ code: problemCode }) => problemCode === 'document_too_large');
  if (!isOfPack) return undefined;
  return errors.map((problem) => ({ severity: 'error', line: 1, column: 1, ...problem }));
}

const LINES_ABOVE = 2;
const WIDTH_MAX = 100;

/** The line of a problem with the adjacent lines above and a caret below its position (line and column from 1). */
export function codeFrame(text: string, { line, column }: { line: number; column: number }): string {
  const lines = text.split('\n');
  const first = Math.max(1, line - LINES_ABOVE);
  const width = String(line).length;
  // Of a long line the part around the position is shown, of adjacent lines the same part.
  const from = Math.max(0, column - 1 - Math.floor(WIDTH_MAX / 2));
  const shown = (number: number) => part(lines[number - 1] ?? '', from);
  const rows = Array.from({ length: line - first + 1 }, (_, index) => {
    const number = first + index;
    return `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${shown(number)}`.trimEnd();
  });
  const before = part((lines[line - 1] ?? '').slice(0, column - 1), from);
  return [...rows, `  ${' '.repeat(width)} | ${' '.repeat([...before].length)}^`].join('\n');
}

/** A tab is shown as an arrow: it is often the error itself. */
function part(line: string, from: number): string {
  return printable(
    line
      .slice(from, from + WIDTH_MAX)
      .replace(/\r$/, '')
      .replaceAll('\t', '→'),
  );
}
