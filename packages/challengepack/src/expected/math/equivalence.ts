import type { Expression } from './expression.js';
import { MathError } from './math-error.js';
import { isNumeric, numericValue } from './numeric.js';
import { equalQuotients, type Quotient } from './quotient.js';
import { readSolution, type Solution } from './solution.js';
import { symbolicForm } from './symbolic.js';
import { Work, type WorkBudget } from './work.js';

export interface MathOptions {
  /** Take only what follows the last `answer_delimiter`. */
  readonly extract_answer: boolean;
  readonly answer_delimiter: string;
  readonly comparison_mode: 'symbolic' | 'numeric';
  /** True when symbol-free sides that differ in form may still agree as doubles. */
  readonly numeric_fallback: boolean;
  /** Absolute, of doubles. */
  readonly tolerance: number;
}

/** One side of a comparison, read and brought to the form in which it is compared. */
interface Side {
  readonly expression: Expression;
  /** Absent in numeric mode. */
  readonly form?: Quotient;
}

/** An expected solution, prepared for comparison with those of agents. */
export class MathTarget {
  readonly #target: Solution<Side>;
  readonly #work: Work;
  readonly #options: MathOptions;

  private constructor(target: Solution<Side>, work: Work, options: MathOptions) {
    this.#target = target;
    this.#work = work;
    this.#options = options;
  }

  /** Throws a `MathError`. What it costs is taken from the allowance, if there is one. */
  static read(text: string, options: MathOptions, allowance?: WorkBudget): MathTarget {
    const work = new Work(undefined, allowance);
    return new MathTarget(readSides(text, options, work), work, options);
  }

  /** True when the solution equals the target. Throws a `MathError`, of which the solution is the cause. */
  isMetBy(text: string): boolean {
    const work = this.#work.renewed();
    const solution = readSides(text, this.#options, work);
    return sameSolutions(this.#target, solution, (a, b) => this.#sameValues(a, b, work));
  }

  #sameValues(target: Side, solution: Side, work: Work): boolean {
    work.spend(1);
    if (target.form === undefined || solution.form === undefined) return this.#agree(target, solution);
    if (equalQuotients(target.form, solution.form, work)) return true;
    const mayFallBack =
      this.#options.numeric_fallback && [target, solution].every(({ expression }) => isNumeric(expression));
    return mayFallBack && this.#agree(target, solution);
  }

  #agree(target: Side, solution: Side): boolean {
    const difference = Math.abs(doubleOf(target.expression) - doubleOf(solution.expression));
    return difference <= this.#options.tolerance;
  }
}

function readSides(text: string, options: MathOptions, work: Work): Solution<Side> {
  const solution = readSolution(options.extract_answer ? lastSolution(text, options.answer_delimiter) : text);
  return mapValues(solution, (expression) => sideOf(expression, options, work));
}

function sideOf(expression: Expression, options: MathOptions, work: Work): Side {
  if (options.comparison_mode === 'symbolic') return { expression, form: symbolicForm(expression, work) };
  numericValue(expression);
  return { expression };
}

function lastSolution(text: string, delimiter: string): string {
  const at = delimiter === '' ? -1 : text.lastIndexOf(delimiter);
  return at === -1 ? text : text.slice(at + delimiter.length);
}

/** NaN when it is not finite; a divisor may be zero for doubles alone, and that is no error of the expression. */
function doubleOf(expression: Expression): number {
  try {
    const value = numericValue(expression);
    return Number.isFinite(value) ? value : Number.NaN;
  } catch (error) {
    if (error instanceof MathError) return Number.NaN;
    throw error;
  }
}

type SameValues<V> = (a: V, b: V) => boolean;
type List<V> = Extract<Solution<V>, { kind: 'list' }>;

/**
 * True when two solutions are the same. A unit or a name that only one side has does not count, different ones differ.
 * Lists agree in brackets, order and length; a set in braces knows neither order nor repetition, nor does a list
 * without brackets that is compared with one.
 */
function sameSolutions<V>(a: Solution<V>, b: Solution<V>, same: SameValues<V>): boolean {
  if (a.kind === 'named' && b.kind === 'named') {
    return a.name === b.name && sameSolutions(a.solution, b.solution, same);
  }
  if (a.kind === 'named') return sameSolutions(a.solution, b, same);
  if (b.kind === 'named') return sameSolutions(a, b.solution, same);
  if (a.kind === 'value' && b.kind === 'value') {
    const isOtherUnit = a.unit !== null && b.unit !== null && a.unit !== b.unit;
    return !isOtherUnit && same(a.value, b.value);
  }
  if (a.kind === 'infinity' && b.kind === 'infinity') return a.isNegative === b.isNegative;
  if (a.kind === 'union' && b.kind === 'union') return sameSets(a.parts, b.parts, same);
  if (a.kind === 'list' && b.kind === 'list') return sameLists(a, b, same);
  return false;
}

function sameLists<V>(a: List<V>, b: List<V>, same: SameValues<V>): boolean {
  const kinds = new Set([a.brackets, b.brackets]);
  const isSet = kinds.has('{}') && (kinds.size === 1 || kinds.has(''));
  if (isSet) return sameSets(a.items, b.items, same);
  if (a.brackets !== b.brackets || a.items.length !== b.items.length) return false;
  for (const [index, item] of a.items.entries()) {
    const other = b.items[index];
    if (other === undefined || !sameSolutions(item, other, same)) return false;
  }
  return true;
}

function sameSets<V>(a: readonly Solution<V>[], b: readonly Solution<V>[], same: SameValues<V>): boolean {
  return isWithin(a, b, same) && isWithin(b, a, same);
}

function isWithin<V>(
  items: readonly Solution<V>[],
  others: readonly Solution<V>[],
  same: SameValues<V>,
): boolean {
  for (const item of items) {
    let isFound = false;
    for (const other of others) {
      isFound = sameSolutions(item, other, same);
      if (isFound) break;
    }
    if (!isFound) return false;
  }
  return true;
}

/** The same solution, each of its values replaced. */
function mapValues<A, B>(solution: Solution<A>, replace: (value: A) => B): Solution<B> {
  switch (solution.kind) {
    case 'value':
      return { ...solution, value: replace(solution.value) };
    case 'named':
      return { ...solution, solution: mapValues(solution.solution, replace) };
    case 'infinity':
      return solution;
    case 'list':
      return { ...solution, items: mapAll(solution.items, replace) };
    case 'union':
      return { ...solution, parts: mapAll(solution.parts, replace) };
  }
}

function mapAll<A, B>(solutions: readonly Solution<A>[], replace: (value: A) => B): Solution<B>[] {
  const replaced: Solution<B>[] = [];
  for (const solution of solutions) replaced.push(mapValues(solution, replace));
  return replaced;
}
