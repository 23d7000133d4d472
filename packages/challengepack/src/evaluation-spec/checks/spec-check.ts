import type { FieldPath } from '../../decode/field-path.js';
import type { ProblemCode } from '../../decode/problem-codes.js';
import type { Problems, ReportOptions } from '../../decode/problems.js';
import type { ExecutionMode } from '../../model.js';
import type { SpecDraft } from '../authored.js';

/** What the rest of the pack means for its evaluation spec. */
export interface SpecContext {
  /** Undefined when the authored mode is faulty: what depends on it is then not checked. */
  executionMode: ExecutionMode | undefined;
}

/** One check of an evaluation spec: the normalised draft, its place in the document, and where findings go. */
export class SpecCheck {
  constructor(
    readonly spec: SpecDraft,
    readonly at: FieldPath,
    readonly problems: Problems,
    readonly context: SpecContext,
  ) {}

  report(code: ProblemCode, at: FieldPath, options?: ReportOptions): void {
    this.problems.report(code, at, options);
  }

  isFaulty(at: FieldPath): boolean {
    return this.problems.isFaulty(at);
  }

  /** Reports `required` when the value is missing, unless something was written that could not be read. */
  require(value: unknown, at: FieldPath): void {
    if (value === undefined && !this.isFaulty(at)) this.report('required', at);
  }

  /** Whether the author wrote anything there, readable or not. */
  isWritten(value: unknown, at: FieldPath): boolean {
    return value !== undefined || this.isFaulty(at);
  }
}

/** Visits the entries of a list that could be read, each with its authored place. */
export function eachEntry<R>(
  entries: readonly (R | undefined)[] | undefined,
  at: FieldPath,
  visit: (entry: R, at: FieldPath) => void,
): void {
  entries?.forEach((entry, index) => {
    if (entry !== undefined) visit(entry, at.index(index));
  });
}
