import type { Solution } from '../references/solution.js';

/** A solution with one small defect, which graders should notice. */
export interface Mutant {
  /** The kind of the mutant, such as `swap_comparison`. */
  operator: string;
  /** The changed file; absent for the output. */
  path?: string;
  /** 1-based, in the file or output. */
  line: number;
  /** Two lines: `-` and the text before, `+` and the text after. */
  diff: string;
  solution: Solution;
}
