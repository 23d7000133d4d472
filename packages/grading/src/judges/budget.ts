import { callCostMaxUsd, type JudgeLimits, type ModelPrice } from '@agentclash/challengepack';
import { isAtLeast } from '../tolerance.js';
import type { JudgeMessage } from './prompt.js';

/** The cost of a call for an attempt. */
export interface Charge {
  readonly tokens: number;
  readonly usd: number;
}

/** Output tokens that a judge's reply may take at most. */
export const JUDGE_OUTPUT_TOKENS_MAX = 4_096;
const BYTES_PER_TOKEN = 3;

/**
 * The remaining budget of an attempt's judges. A call reserves its worst case before it is made and settles to what it
 * really used, so that parallel calls cannot overrun a limit together.
 */
export class JudgeBudget {
  #spent: Charge = { tokens: 0, usd: 0 };
  readonly #reserved = new Map<string, Charge>();

  constructor(private readonly limits: Pick<JudgeLimits, 'max_tokens' | 'max_calls_usd'>) {}

  get spent(): Charge {
    return this.#spent;
  }

  /** True when the call may be made; its worst case is then held until it settles. */
  reserve(call: string, worst: Charge): boolean {
    const held = [...this.#reserved.values()].reduce(plus, this.#spent);
    const total = plus(held, worst);
    const isAllowed =
      isWithin(total.tokens, this.limits.max_tokens) && isWithin(total.usd, this.limits.max_calls_usd);
    if (isAllowed) this.#reserved.set(call, worst);
    return isAllowed;
  }

  /** Replaces the call's reservation by what it used: nothing, for a call that failed. */
  settle(call: string, used: Charge): void {
    if (this.#reserved.delete(call)) this.#spent = plus(this.#spent, used);
  }
}

/** The most a call can cost. Without a price row only tokens are counted. */
export function worstCase(messages: readonly JudgeMessage[], price: ModelPrice | undefined): Charge {
  const bytes = messages.reduce((total, { content }) => total + Buffer.byteLength(content, 'utf8'), 0);
  const [input, output] = [Math.ceil(bytes / BYTES_PER_TOKEN), JUDGE_OUTPUT_TOKENS_MAX];
  return { tokens: input + output, usd: price === undefined ? 0 : callCostMaxUsd({ input, output }, price) };
}

/** One attempt's equal part of a call that ranks several. */
export function sharedCharge({ tokens, usd }: Charge, attempts: number): Charge {
  return { tokens: tokens / attempts, usd: usd / attempts };
}

function plus(a: Charge, b: Charge): Charge {
  return { tokens: a.tokens + b.tokens, usd: a.usd + b.usd };
}

/** A limit of 0 is none. */
function isWithin(total: number, limit: number): boolean {
  return limit === 0 || isAtLeast(limit, total);
}
