export { RECORDS_MAX } from './import/json-lines.js';
export { readAtif } from './import/read-atif.js';
export type { ImportProblem, ReadAttempt, ReadDefaults, RecordedSource } from './import/read-attempt.js';
export { INSPECT_BYTES_MAX, readInspect } from './import/read-inspect.js';
export { readResults } from './import/read-results.js';
export type { ExportedAttempt } from './results/record.js';
export { resultKeysOf } from './results/result-keys.js';
export {
  EXPORT_MEDIA_TYPES,
  type ExportContent,
  type ExportSource,
  exportRun,
  needsLane,
} from './run/run-export.js';
