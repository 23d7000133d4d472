export { type CallRetry, jitter, planCallRetry } from './failures/call-retry.js';
export {
  classifyProviderError,
  PROVIDER_FAILURES,
  type ProviderError,
  type ProviderFailureClass,
} from './failures/failure.js';
export * from './model.js';
export { type CallTiming, type FinishReason, NO_USAGE, type Usage } from './usage.js';
