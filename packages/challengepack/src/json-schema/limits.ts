/** Subschemas of one schema. */
export const SCHEMA_NODES_MAX = 50_000;
/** Nesting of one schema, as deep as a JSON text may be. */
export const SCHEMA_DEPTH_MAX = 256;
/** Subschemas that references put in one place, were each of them written out there. */
export const EXPANSION_MAX = 100_000;
/** References and combinations that lead from one subschema to the next without entering the value. */
export const CHAIN_MAX = 500;
/** Evaluations within each other: a value of 256 levels, with some references at each. */
export const EVALUATION_DEPTH_MAX = 2_500;
/** Instructions of all patterns of a schema together; a counted repetition counts as often as it repeats. */
export const PATTERN_SIZE_MAX = 100_000;
