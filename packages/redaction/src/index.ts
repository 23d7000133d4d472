export { compileLexicon, type Lexicon } from './lexicon.js';
export { createRedactor, MARK, type RedactionStream, type Redactor } from './redactor.js';

export { Scanner } from './scanner.js';
export { Secret } from './secret.js';
