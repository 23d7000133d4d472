export { compileLexicon, type KeyedValue, type Lexicon } from './lexicon.js';
export type { RedactionStream } from './redaction-stream.js';
export { createRedactor, MARK, type Redactor } from './redactor.js';
export { Scanner } from './scanner.js';
export { Secret } from './secret.js';
