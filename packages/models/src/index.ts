export type { Credential, ModelAccount, Sampling } from './account.js';
export { type ModelClock, systemModelClock } from './clock.js';
export { type CallRetry, planCallRetry } from './failures/call-retry.js';
export {
  classifyProviderError,
  PROVIDER_FAILURES,
  type ProviderError,
  type ProviderFailureClass,
} from './failures/failure.js';
export * from './model.js';
export { type OpenModelOptions, openModel } from './open-model.js';
export { BASE_URL_PROBLEMS, type BaseUrlProblem, baseUrlProblem } from './providers/base-url.js';
export * from './rate/adaptive-limit.js';
export type { Slot, SlotOutcome, Slots } from './rate/slots.js';
export { type CallTiming, type FinishReason, NO_USAGE, type Usage } from './usage.js';
