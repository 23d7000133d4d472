import type { Expression } from './expression.js';
import { MathError } from './math-error.js';
import { isNumeric, numericValue } from './numeric.js';
import { equalQuotients, type Quotient } from './quotient.js';
import { mapValues, sameSolutions } from './same-solutions.js';
import { readSolution, type Solution } from './solution.js';
import { symbolicForm } from './symbolic.js';
import { Work, type WorkAllowance } from './work.js';

export interface MathOptions {
  /** Take only what follows the last `answer_delimiter`. */
  readonly extract_answer: boolean;
  readonly answer_delimiter: string;
  readonly comparison_mode: 'symbolic' | 'numeric';
  /** Whether symbol-free sides that differ in form may still agree as doubles. */
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
  static read(text: string, options: MathOptions, allowance?: WorkAllowance): MathTarget {
    const work = new Work(undefined, allowance);
    return new MathTarget(readSides(text, options, work), work, options);
  }

  /** Whether the solution equals the target. Throws a `MathError`, of which the solution is the cause. */
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
