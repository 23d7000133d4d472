import { isScalar, parseDocument, type Scalar, visit } from 'yaml';
import type { Problem } from '../decode/problems.js';

/** A change of a text that removes a problem. Offsets are in UTF-16 units. */
export interface QuickFix {
  from: number;
  to: number;
  /** The text between the offsets; a fix applies only where it is still there. */
  replaced: string;
  insert: string;
}

type Reading = { problems: readonly Problem[] };

/** Each fix is verified by reading the changed text: a document with many problems must not take long. */
const FIXES_MAX = 20;

/**
 * The fixes of problems that suggest a name, by the index of the problem. `read` reads a text as the given problems were
 * found: a change is offered only if its problem is gone afterwards.
 */
export function quickFixes(
  text: string,
  problems: readonly Problem[],
  read: (text: string) => Reading,
): Map<number, QuickFix> {
  const fixes = new Map<number, QuickFix>();
  const suggested = [...problems.entries()].filter(([, { suggestion }]) => suggestion !== undefined);
  if (suggested.length === 0) return fixes;
  const scalars = scalarsOf(text);
  for (const [index, problem] of suggested.slice(0, FIXES_MAX)) {
    const fix = fixOf(text, problem, scalars.get(offsetOf(text, problem)));
    if (fix !== undefined && removes(fix, problem, { text, read })) fixes.set(index, fix);
  }
  return fixes;
}

/** The keys and values of a document by the offset of their first character. */
function scalarsOf(text: string): Map<number, Scalar> {
  const scalars = new Map<number, Scalar>();
  visit(parseDocument(text, { logLevel: 'silent' }), {
    Scalar: (_key, node) => {
      if (node.range) scalars.set(node.range[0], node);
    },
  });
  return scalars;
}

function offsetOf(text: string, { line, column }: Problem): number {
  const lines = text.split(/\r\n|\n|\r/, line);
  let start = 0;
  for (const { length } of lines.slice(0, -1)) {
    start += length;
    start += text.startsWith('\r\n', start) ? 2 : 1;
  }
  return start + column - 1;
}

function fixOf(text: string, problem: Problem, scalar: Scalar | undefined): QuickFix | undefined {
  const { suggestion, code, message } = problem;
  if (suggestion === undefined || !isScalar(scalar) || !scalar.range) return undefined;
  const [from, to] = scalar.range;
  const placeholder = suggestion.startsWith('{{') ? /\{\{[^}]*\}\}/.exec(message)?.[0] : undefined;
  if (placeholder !== undefined) {
    const at = text.indexOf(placeholder, from);
    if (at < 0 || at >= to) return undefined;
    return { from: at, to: at + placeholder.length, replaced: placeholder, insert: suggestion };
  }
  if (scalar.type?.startsWith('BLOCK_')) return undefined;
  const insert = code === 'type_mismatch' ? suggestion : written(suggestion, scalar);
  return { from, to, replaced: text.slice(from, to), insert };
}

/** The suggestion in the quotes of the text that it replaces. */
function written(suggestion: string, { type }: Scalar): string {
  if (type === 'QUOTE_DOUBLE') return JSON.stringify(suggestion);
  if (type === 'QUOTE_SINGLE') return `'${suggestion.replaceAll("'", "''")}'`;
  return suggestion;
}

interface Verification {
  text: string;
  read: (text: string) => Reading;
}

function removes(fix: QuickFix, problem: Problem, { text, read }: Verification): boolean {
  const changed = text.slice(0, fix.from) + fix.insert + text.slice(fix.to);
  return read(changed).problems.every(
    ({ code, field, message }) =>
      code !== 'yaml_syntax' &&
      !(code === problem.code && field === problem.field && message === problem.message),
  );
}
