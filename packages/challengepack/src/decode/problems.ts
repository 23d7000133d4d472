import type { ProblemSeverity } from '@agentclash/domain';
import { compareCodePoints } from '../text/code-points.js';
import { NameFinder } from '../text/nearest-name.js';
import type { FieldPath } from './field-path.js';
import { PROBLEM_MESSAGES, type ProblemCode, severityOf } from './problem-codes.js';
import { isNull, type LineIndex, type Located, locate, type SourceNode } from './source.js';

/** One problem in a document. `line` and `column` count from 1, columns in UTF-16 units. */
export interface Problem {
  code: ProblemCode;
  severity: ProblemSeverity;
  /** Field path, `""` for the document itself. */
  field: string;
  message: string;
  line: number;
  column: number;
  /** Replacement text: a key, a value or a path. */
  suggestion?: string;
}

export interface ReportOptions {
  message?: string;
  suggestion?: string;
  severity?: ProblemSeverity;
  /** Where to point: at the value (default), or at its key. What is absent points at the node around it. */
  at?: 'value' | 'key';
  /** The offset itself, where the caller knows better than the path (a repeated key). */
  offset?: number;
}

interface UnlocatedProblem extends Omit<Problem, 'line' | 'column'> {
  offset: number;
  isAbsent: boolean;
}

const UNDECODABLE: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'type_mismatch',
  'not_json',
  'unknown_value',
  'too_long',
]);

/** Beyond this sum of text, findings only count: a hostile document must not buy unlimited memory with long paths. */
const TEXT_MAX = 16 * 1024 * 1024;

/** Collects the problems of one document and knows which fields already have one. */
export class Problems {
  readonly #findings = new Map<string, UnlocatedProblem>();
  readonly #faulty = new Set<string>();
  readonly #undecodable = new Set<string>();
  readonly #misplacedHomes = new Set<string>();
  /** Suggests names that the document declares. */
  readonly names = new NameFinder();
  #textLength = 0;
  #overflowed = false;

  constructor(
    private readonly root: SourceNode,
    private readonly lines: LineIndex,
    private readonly strict: boolean,
  ) {}

  report(code: ProblemCode, path: FieldPath, options: ReportOptions = {}): void {
    const message = withSuggestion(options.message ?? PROBLEM_MESSAGES[code], options.suggestion);
    const native = options.severity ?? severityOf(code);
    const severity = this.strict ? 'error' : native;
    if (!this.#affords(path.length + message.length, severity)) return;
    const field = path.toString();
    // Strictness changes severities and nothing else: which fields count as faulty must not depend on it.
    if (native === 'error') this.#faulty.add(field);
    if (UNDECODABLE.has(code)) this.#undecodable.add(field);
    const id = `${code}\n${field}\n${message}`;
    if (this.#findings.has(id)) return;
    const { suggestion } = options;
    const location = this.#locate(code, path);
    const offset = options.offset ?? (options.at === 'key' ? location.keyAt : location.node.at);
    const isAbsent = !location.found;
    this.#findings.set(id, {
      code,
      severity,
      field,
      message,
      offset,
      isAbsent,
      ...(suggestion && { suggestion }),
    });
  }

  /** True when the value at `path` itself already has an error: checks that need it are skipped. */
  isFaulty(path: FieldPath): boolean {
    return this.#faulty.has(path.toString());
  }

  /** Every field that itself has an error. */
  faultyFields(): Iterable<string> {
    return this.#faulty;
  }

  /** True when something was written at `path` that could not be read as a value of its field. */
  isUndecodable(path: FieldPath): boolean {
    return this.#undecodable.has(path.toString());
  }

  /** The position of the value at `path`; of an absent value, of the nearest node around it. */
  positionOf(path: FieldPath): { line: number; column: number } {
    return this.lines.position(locate(this.root, path.steps()).node.at);
  }

  /** A key was in the wrong place: its home (`input_sets[].cases[].user_simulator`) is not also missing. */
  misplaced(home: string): void {
    this.#misplacedHomes.add(home);
  }

  /** Everything found, by line, column, field and code. */
  list(): Problem[] {
    return this.#kept()
      .sort(byPosition)
      .map(({ offset, isAbsent, ...finding }) => ({ ...finding, ...this.lines.position(offset) }));
  }

  hasErrors(): boolean {
    return this.#overflowed || this.#kept().some((finding) => finding.severity === 'error');
  }

  #kept(): UnlocatedProblem[] {
    return [...this.#findings.values()].filter((finding) => !this.#isEcho(finding));
  }

  #isEcho({ code, field, isAbsent }: UnlocatedProblem): boolean {
    return code === 'required' && isAbsent && this.#misplacedHomes.has(field.replace(/\[\d+\]/g, '[]'));
  }

  #affords(length: number, severity: ProblemSeverity): boolean {
    this.#textLength += length;
    if (this.#textLength <= TEXT_MAX) return true;
    if (severity === 'error') this.#overflowed = true;
    return false;
  }

  /** The position of the value at `path`; of an absent value, the nearest node around it. */
  #locate(code: ProblemCode, path: FieldPath): Located {
    const location = locate(this.root, path.steps());
    // A null that counts as absent is no place of its own.
    const isNothing = code === 'required' && path.parent && location.found && isNull(location.node);
    return isNothing ? { ...locate(this.root, path.parent.steps()), found: false } : location;
  }
}

const NAMES_SUGGESTION = /did you mean |belongs to |\bwrite /i;

/** The message includes the suggestion: renderers print nothing but the message. */
function withSuggestion(message: string, suggestion: string | undefined): string {
  const isNamed = !suggestion || NAMES_SUGGESTION.test(message);
  return isNamed ? message : `${message}; did you mean ${suggestion}?`;
}

function byPosition(left: UnlocatedProblem, right: UnlocatedProblem): number {
  return (
    left.offset - right.offset ||
    compareCodePoints(left.field, right.field) ||
    compareCodePoints(left.code, right.code)
  );
}
