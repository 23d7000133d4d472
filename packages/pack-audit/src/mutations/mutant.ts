import type { Solution } from '../references/solution.js';

/** A solution with one small defect, which graders should notice. */
export interface Mutant {
  /** The kind of the defect: a key of the tables of operators, such as `comparison_boundary`. */
  operator: string;
  /** The changed text: the path of a file, `run` for the script, `steps[2]` for a step; absent for the output. */
  path?: string;
  /** 1-based, in that text. */
  line: number;
  /** The changed lines: `-` and the text before, `+` and the text after. */
  diff: string;
  /** Made when called, since there are many mutants of which few are run. */
  planted: () => Solution;
}
