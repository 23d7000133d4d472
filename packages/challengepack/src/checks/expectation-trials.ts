import { fillConfig } from '../evaluation-spec/fill-config.js';
import type { ValidatorConfig } from '../evaluation-spec/validator-configs.js';
import type { ExpectedProblem } from '../expected/expected.js';
import type { ExpectingType } from '../expected/expected-readers.js';
import { WorkAllowance } from '../expected/math/work.js';
import { tryReading } from '../expected/try-expected.js';

/** What reading about takes, in microseconds: once, and for each UTF-16 unit. Measured, and rounded up. */
const COSTS: { readonly [T in ExpectingType]?: readonly [once: number, unit: number] } = {
  json_schema: [600, 5],
  regex_match: [250, 2],
  file_content_match: [250, 2],
  math_equivalence: [150, 2],
  csv_match: [20, 0.2],
};
const COST_DEFAULT = [5, 0.05] as const;

/** Of one document, in the same unit: about two seconds. */
const BUDGET = 2_500_000;
/** Looking up one expected text of one case. */
const LOOKUP_COST = 1;

export interface Trial<T extends ExpectingType = ExpectingType> {
  readonly type: T;
  readonly config: Partial<ValidatorConfig<T>> | undefined;
}

/**
 * Reads expected texts as scoring would, the same text of a validator once, until all of them together cost too much.
 * What was tried does not depend on the speed of the machine.
 */
export class ExpectationTrials {
  #left = BUDGET;
  readonly #mathWork = new WorkAllowance();
  readonly #known = new Map<object, Map<string, ExpectedProblem | null>>();

  /** Takes the cost of one lookup; false when nothing is left. */
  affordsLookup(): boolean {
    this.#left -= LOOKUP_COST;
    return this.#left >= 0;
  }

  /** What is wrong with the text, null for nothing; undefined when it could not be tried. */
  problemOf(validator: Trial, text: string): ExpectedProblem | null | undefined {
    const known = this.#known.get(validator) ?? new Map<string, ExpectedProblem | null>();
    this.#known.set(validator, known);
    const tried = known.get(text);
    if (tried !== undefined) return tried;
    const [once, unit] = COSTS[validator.type] ?? COST_DEFAULT;
    this.#left -= once + unit * text.length;
    if (this.#left < 0) return undefined;
    const problem = this.#read(validator, text);
    if (problem !== undefined) known.set(text, problem);
    return problem;
  }

  #read({ type, config }: Trial, text: string): ExpectedProblem | null | undefined {
    const reading = tryReading(type, fillConfig(type, config), { text, allowance: this.#mathWork });
    if (reading.ok) return null;
    return this.#mathWork.isSpent ? undefined : reading.problem;
  }
}
