export { isRecord, numberField, recordField, textField } from './evidence/payload.js';
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
export type {
  EvidencePointer,
  ValidatorOutcome,
  ValidatorResult,
  ValidatorState,
  ValidatorVerdict,
} from './validators/result.js';
