export {
  type Fleet,
  fleetProblem,
  fleetWarnings,
  isOffline,
  isPlain,
  missingRequirement,
  needsOfPack,
  needsOfPlan,
  OFFLINE,
  type SandboxNeeds,
} from './admission/fleet.js';
export { deploymentsRequired, idsOfNamed, namedDeployments } from './admission/named-deployments.js';
export {
  agentWarnings,
  capabilityProblem,
  compatibilityProblem,
  conversationProblem,
  requestWarnings,
  sizeProblem,
} from './admission/run-admission.js';
export {
  budgetPriceProblem,
  budgetWarnings,
  credentialReferences,
  modelsOf,
  packModelsProblem,
  pinnedPrices,
  presetProblem,
  priceProblem,
  priceWarnings,
  simulatorWarnings,
} from './admission/run-models.js';
export { type SecretNeeds, secretNeeds } from './admission/run-secrets.js';
export { serversProblem } from './admission/run-servers.js';
export { toolsProblem, toolWarnings } from './admission/run-tools.js';
export {
  type AgentSnapshot,
  artifactIdsOf,
  isMetered,
  snapshotOf,
  type WorkspaceResources,
} from './agents/agent-snapshot.js';
export { baselineWarnings, lanesOf } from './agents/lanes.js';
export {
  presetModelProblems,
  presetNameProblems,
  presetProtocolProblems,
  presetSkillsProblems,
} from './agents/preset-rules.js';
export { delegatorsOf, toolProblems } from './agents/tool-rules.js';
export { attemptPlan, graderPlan, type PlanSources } from './attempts/attempt-plan.js';
export type { AdaptiveLimit } from './model-slots/adaptive-limit.js';
export {
  type AccountState,
  allocateSlots,
  type Release,
  type SlotAllocation,
} from './model-slots/slot-allocation.js';
export { ModelCatalog, withPrice } from './models/model-catalog.js';
export { type PackModels, type RunPins, readPackModels } from './models/pack-models.js';
export { type ChosenCases, failedCases, namedCases } from './pack/chosen-cases.js';
export { foldKeys, type InputSetKeys } from './pack/input-set-keys.js';
export {
  caseImages,
  type NamedImage,
  type PackVersionView,
  sharedArtifactIds,
  specOf,
} from './pack/pack-version.js';
export { type AdmissionProblem, refuse, type Warning } from './problems/admission-problem.js';
export {
  type AfterDelivery,
  afterDelivery,
  claimConflict,
  interruptedResult,
  stateAfterReport,
  WORKER_LOST,
} from './state/delivery-state.js';
export { NO_EVIDENCE, RECORDING } from './state/evidence-events.js';
export {
  changedPackErrors,
  failureOf,
  isUngradable,
  type PackErrorChange,
  SAME_PACK_ERRORS_MAX,
} from './state/pack-errors.js';
export {
  type AgentCounts,
  addCounts,
  type CountChange,
  costOf,
  noCounts,
  overallSoFar,
  type PlainCount,
  progressOf,
  runAgentStatus,
  spendingOf,
} from './state/progress.js';
export { type AttemptScore, scoreChange, scoreWithdrawn } from './state/score-change.js';
export { eventsOfScoring } from './state/scoring-events.js';
