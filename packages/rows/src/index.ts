export { bytesSource } from './bytes-source.js';
export { fileSource } from './file-source.js';
export { readLocalCases } from './read-local-cases.js';
export { readRows } from './read-rows.js';
export type { RowSource } from './row.js';
