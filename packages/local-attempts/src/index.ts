export { type DrivenAttempt, driveAttempt } from './drive-attempt.js';
export { evidenceOf, storedCaseOf } from './evidence.js';
export { localPack, type PackCase, type PackSource } from './local-pack.js';
export { localPorts } from './local-ports.js';
export { MemoryStore } from './memory-store.js';
export type { LocalPorts } from './ports.js';
export { planningOf, RowCase } from './row-case.js';
export { RowDocuments } from './row-documents.js';
