export type * from './grader-plan.js';
export type * from './plan.js';
export { plannedFilesystem, plannedSandbox } from './planning/environment.js';
export {
  DEFAULT_LIMITS,
  type LimitSettings,
  PROGRAM_FILES_BYTES_MAX,
  resolveLimits,
} from './planning/limits.js';
export {
  graderChecks,
  needsVerifier,
  type PackPlan,
  planFromPack,
  planGrading,
  type ScriptedDeployment,
  scriptFor,
  scriptRuntimes,
  testRuntimes,
} from './planning/pack-plan.js';
export {
  type EstimatedPack,
  type EstimateOptions,
  estimateRace,
  type RaceEstimate,
  type UnlimitedPart,
} from './planning/race-estimate.js';
export { effectivePolicy, mayReachOut, type Policy } from './policy.js';
export {
  cancelledResult,
  DELIVERIES_MAX,
  type DeliveryEnd,
  planRedelivery,
} from './redelivery.js';
export {
  escapeSegment,
  neededSecrets,
  secretsProblem,
  wrongReferences,
} from './run-secrets.js';
