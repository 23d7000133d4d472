export const DOCUMENT_BYTES_MAX = 1_048_576;
/** Levels of nested lists and maps; the root map is the first. */
export const LEVELS_MAX = 100;
/** Values, keys included, once aliases are expanded. */
export const NODES_MAX = 250_000;
