export type { Credential, ModelAccount, Sampling } from './account.js';
export { type ModelClock, systemModelClock } from './clock.js';
export { type CallRetry, planCallRetry } from './failures/call-retry.js';
export {
  classifyProviderError,
  PROVIDER_FAILURES,
  type ProviderError,
  type ProviderFailureClass,
} from './failures/failure.js';
export { streamError } from './failures/stream-error.js';
export * from './model.js';
export { type OpenModelOptions, openModel } from './open-model.js';
export type { Slot, Slots } from './rate/slots.js';
