export { planCallRetry } from './failures/call-retry.js';
export {
  classifyProviderError,
  PROVIDER_FAILURES,
  type ProviderError,
  type ProviderFailureClass,
} from './failures/failure.js';
export { bindingSentence } from './failures/sentences.js';
export { streamError } from './failures/stream-error.js';
export type { Credential, ModelAccount, Sampling } from './model/account.js';
export * from './model/model.js';
export { openModel } from './open-model.js';
export {
  BudgetExhausted,
  type CallAmount,
  type CallBudget,
  tokensMaxOf,
} from './rate/budget.js';
