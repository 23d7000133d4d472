import type { ExecutionMode } from '@agentclash/domain';
import type { FieldPath } from '../../decode/field-path.js';
import type { ProblemCode } from '../../decode/problem-codes.js';
import type { Problems, ReportOptions } from '../../decode/problems.js';
import { WorkBudget } from '../../expected/math/work.js';
import type { SpecDraft } from '../authored.js';
import type { CheckType } from '../types.js';

/** The facts of the rest of the pack that its evaluation spec depends on. */
export interface SpecContext {
  /** Undefined when the authored mode is faulty: what depends on it is then not checked. */
  executionMode: ExecutionMode | undefined;
}

/** The lists whose entries are named by key from elsewhere in the spec. */
export type KeyedList = 'validators' | 'metrics' | 'llm_judges' | 'post_execution_checks';

/** One check of an evaluation spec: the normalised draft, its place in the document, and where findings go. */
export class SpecCheck {
  /** Trying one expression out may take a second: ten thousand of them may not take hours. */
  readonly mathWork = new WorkBudget();
  readonly #keys = new Map<KeyedList, ReadonlySet<string> | undefined>();
  #collected: ReadonlyMap<string | undefined, CheckType | undefined> | undefined;

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

  /** Reports `unknown_reference` when no entry of the list has the key. `prefix` precedes it in the document. */
  requireKey(
    { key, list, prefix = '' }: { key: string; list: KeyedList; prefix?: string },
    at: FieldPath,
  ): void {
    const known = this.#keysOf(list);
    if (known === undefined || known.has(key)) return;
    const nearest = this.problems.names.suggest(key, known);
    this.report('unknown_reference', at, {
      message: `nothing in ${list} has the key ${key}`,
      ...(nearest !== undefined && { suggestion: `${prefix}${nearest}` }),
    });
  }

  /** True when the author wrote anything there, readable or not. */
  isWritten(value: unknown, at: FieldPath): boolean {
    return value !== undefined || this.isFaulty(at);
  }

  /** The type of the post-execution check of that key; undefined when it is unknown. */
  collects(key: string): CheckType | undefined {
    this.#collected ??= new Map(
      (this.spec.post_execution_checks ?? []).toReversed().map((entry) => [entry?.key, entry?.type]),
    );
    return this.#collected.get(key);
  }

  #keysOf(list: KeyedList): ReadonlySet<string> | undefined {
    if (!this.#keys.has(list)) this.#keys.set(list, this.#readKeys(list));
    return this.#keys.get(list);
  }

  /** Undefined when a key could not be read: then nothing can be called unknown. */
  #readKeys(list: KeyedList): ReadonlySet<string> | undefined {
    const at = this.at.field(list);
    if (this.problems.isUndecodable(at)) return undefined;
    const keys = new Set<string>();
    for (const [index, entry] of (this.spec[list] ?? []).entries()) {
      if (entry === undefined || this.problems.isUndecodable(at.index(index).field('key'))) return undefined;
      if (entry.key !== undefined) keys.add(entry.key);
    }
    return keys;
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
