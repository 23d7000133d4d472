/** What evaluating a subschema came to, and which members and items it took account of. */
export interface Outcome {
  readonly isValid: boolean;
  readonly properties: ReadonlySet<string>;
  readonly items: ReadonlySet<number>;
}

const NOTHING: ReadonlySet<never> = new Set();

export const VALID: Outcome = { isValid: true, properties: NOTHING, items: NOTHING };
export const INVALID: Outcome = { isValid: false, properties: NOTHING, items: NOTHING };
