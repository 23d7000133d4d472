import type { ApiError, Problem } from '@agentclash/api';
import type { Output, Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { codeFrame } from './code-frame.js';

export type { Problem };

/** `file:line:column severity code message`; the message names the suggestion, if there is one. */
export function problemLine(file: string, problem: Problem, paint: Paint): string {
  const { line, column, severity, code, field, message } = problem;
  const color = severity === 'error' ? paint.red : paint.yellow;
  const position = paint.bold(`${oneLine(file)}:${line}:${column}`);
  const text = field === '' ? message : `${field}: ${message}`;
  return `${position} ${color(severity)} ${code} ${oneLine(text)}`;
}

/** A line for each problem; a fault of the syntax also shows its place in the text, as there is no field to name. */
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

/** Says so when a server lists only the first of very many problems. */
export function noteOmitted(count: unknown, out: Output): void {
  if (typeof count === 'number' && count > 0) out.note(`and ${count} problems more`);
}

/** What a server found in a pack that it refuses; undefined when it refuses for another reason. */
export function packProblems({ code, errors }: ApiError): Problem[] | undefined {
  const isOfPack =
    code === 'invalid_pack' || errors.some(({ code: problemCode }) => problemCode === 'document_too_large');
  if (!isOfPack) return undefined;
  return errors.map((problem) => ({ severity: 'error', line: 1, column: 1, ...problem }));
}
