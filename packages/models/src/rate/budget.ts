import { callCostMaxUsd, type ModelPrice } from '@agentclash/challengepack';
import type { Usage } from '@agentclash/domain';
import type { TokenBound } from '../model/model.js';
import { usageCost } from '../model/pricing.js';

/** The use of one try of a call, or the most that it may use. */
export interface CallAmount {
  tokens: number;
  /** Null where the model has no price. */
  costUsd: number | null;
}

/** The part of a budget that one try holds. */
export interface BudgetReservation {
  /** Counts what the try used; null: unknown, so that all that was reserved counts. */
  settle(used: CallAmount | null): Promise<void>;
}

/** A budget that calls of several processes share. */
export interface CallBudget {
  /** Waits while other calls hold what is left. Throws BudgetExhausted, or the signal's reason when cancelled. */
  reserve(bound: CallAmount, signal: AbortSignal): Promise<BudgetReservation>;
}

/** Thrown where a call could exceed the budget: it is not made. */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted';

  constructor() {
    super('the budget of the run is used up');
  }
}

/** Of a try that reached no model. */
export const UNUSED: CallAmount = { tokens: 0, costUsd: 0 };

/** The most that a call can use. */
export function boundOf(tokens: TokenBound, price: ModelPrice | undefined): CallAmount {
  const { input, output } = tokens;
  return { tokens: input + output, costUsd: price === undefined ? null : callCostMaxUsd(tokens, price) };
}

/** The use that a provider reported; null where it did not report all of it. */
export function amountOf(usage: Usage, price: ModelPrice | undefined): CallAmount | null {
  const { input, output, total } = usage;
  if (input === null || output === null) return null;
  return { tokens: total ?? input + output, costUsd: usageCost(usage, price) };
}

/** The most tokens of a text: each has one byte of it at least. */
export function tokensMaxOf(text: string): number {
  return Buffer.byteLength(text);
}
