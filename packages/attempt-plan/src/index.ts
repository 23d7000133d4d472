export {
  type CredentialProblem,
  type CredentialReference,
  readCredentialReference,
} from './credential-reference.js';
export type * from './plan.js';
export { plannedFilesystem, plannedSandbox } from './planning/environment.js';
export {
  DEFAULT_LIMITS,
  type LimitSettings,
  type LimitSources,
  type PackRuntimeLimits,
  PROGRAM_FILES_BYTES_MAX,
  resolveLimits,
} from './planning/limits.js';
export {
  graderChecks,
  needsVerifier,
  type PackPlan,
  type PackPlanOptions,
  PlanningError,
  planFromPack,
  planGrading,
  type ScriptedDeployment,
  scriptFor,
} from './planning/pack-plan.js';
export { effectivePolicy, mayReachOut, type Policy } from './policy.js';
export {
  cancelledResult,
  DELIVERIES_MAX,
  type DeliveryEnd,
  planRedelivery,
  type Redelivery,
} from './redelivery.js';
export {
  escapeSegment,
  neededSecrets,
  type SecretsProblem,
  secretsProblem,
  wrongReferences,
} from './run-secrets.js';
