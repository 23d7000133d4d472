/** The result of evaluating a subschema, and the members and items that it evaluated. */
export interface Outcome {
  readonly isValid: boolean;
  readonly properties: ReadonlySet<string>;
  readonly items: ReadonlySet<number>;
}

const NOTHING: ReadonlySet<never> = new Set();

export const VALID: Outcome = { isValid: true, properties: NOTHING, items: NOTHING };
export const INVALID: Outcome = { isValid: false, properties: NOTHING, items: NOTHING };
