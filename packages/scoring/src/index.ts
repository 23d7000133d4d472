export type * from './aggregate/types.js';
export type * from './comparison/types.js';
export { expectationText } from './evidence/case-text.js';
export { isRecord, numberField, recordField, textField } from './evidence/payload.js';
export { type Resolution, resolveReference } from './evidence/resolve.js';
export { type ToolCall, toolTrace, workingCalls } from './evidence/tool-trace.js';
export {
  type ArtifactEvidence,
  type AttemptEnd,
  type AttemptEvidence,
  type AttemptOutcome,
  type CaseEntry,
  type CaseEvidence,
  type EvidenceEvent,
  isGraded,
  type Votes,
} from './evidence/types.js';
export type * from './failures/types.js';
export type * from './gates/types.js';
export type * from './judges/types.js';
export type * from './metrics/types.js';
export type * from './ranking/types.js';
export type * from './scorecard/types.js';
export type * from './security/types.js';
export type { Estimate } from './statistics/sample.js';
export type {
  EvidencePointer,
  ValidatorOutcome,
  ValidatorResult,
  ValidatorState,
  ValidatorVerdict,
} from './validators/result.js';
