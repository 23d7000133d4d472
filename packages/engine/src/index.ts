export * from './canary/canary-detector.js';
export * from './plan.js';
export { redactHeaders } from './redaction/headers.js';
export type { KeyedValue } from './redaction/lexicon.js';
export type { RedactionStream } from './redaction/redaction-stream.js';
export { createRedactor, MARK, type Redactor } from './redaction/redactor.js';
export { Secret } from './redaction/secret.js';
