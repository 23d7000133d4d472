import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '@agentclash/bus';
import { type In, type Out, runBudgets } from '@agentclash/contracts';
import { newId } from '../ids.js';
import { isUnavailable, retryWhileUnavailable } from '../retry-while-unavailable.js';
import type { Logger } from '../telemetry/logging.js';

/** Time in which a call to an unavailable orchestrator is retried. */
const UNAVAILABLE_MS_MAX = 40_000;
/** Pauses between two requests while other calls hold what is left. */
const PAUSE_MS_FIRST = 50;
const PAUSE_MS_MAX = 1_000;
/** Amounts beyond what numbers hold exactly are larger than every budget. */
const TOKENS_MAX = Number.MAX_SAFE_INTEGER;

type Amount = Pick<In<typeof runBudgets.settle>, 'tokens' | 'usd'>;
type Reserve = In<typeof runBudgets.reserve>;

interface BusReservation {
  /** Counts what the call used. Never rejects: a use that cannot be reported counts as all that was reserved. */
  settle(used: Amount): Promise<void>;
}

/** The budget of a run, for the calls of one delivery. The orchestrator grants its parts, to all executors. */
export class BusBudget {
  constructor(
    private readonly bus: Bus,
    private readonly of: Pick<Reserve, 'run_id' | 'attempt_id' | 'delivery'>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Waits while other calls hold what is left. Undefined where the call could exceed the budget. Rejects with the
   * signal's reason, with `unavailable` and with `lease_lost`.
   */
  async reserve(bound: Amount, signal: AbortSignal): Promise<BusReservation | undefined> {
    const call_id = newId();
    const settle = (used: Amount) => this.settle({ call_id, ...used });
    const request = { ...this.of, call_id, tokens: wholeTokens(bound.tokens), usd: bound.usd };
    for (let pauseMs = PAUSE_MS_FIRST; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      signal.throwIfAborted();
      const { state } = await this.requested(request, signal);
      if (state === 'exhausted') return undefined;
      if (state === 'granted') break;
      // The signal is looked at with the next turn.
      await pause(pauseMs * (1 + Math.random()), undefined, { signal }).catch(() => undefined);
    }
    if (!signal.aborted) return { settle };
    await settle({ tokens: 0, usd: 0 });
    throw signal.reason;
  }

  private async requested(request: Reserve, signal: AbortSignal): Promise<Out<typeof runBudgets.reserve>> {
    try {
      return await retryWhileUnavailable(() => this.bus.call(runBudgets.reserve, request), {
        timeoutMs: UNAVAILABLE_MS_MAX,
        isRetryable: (error) => !signal.aborted && isUnavailable(error),
      });
    } catch (error) {
      // It may have been granted although no reply came; no call was made.
      void this.settle({ call_id: request.call_id, tokens: 0, usd: 0 });
      throw error;
    }
  }

  private async settle({ call_id, tokens, usd }: Amount & { call_id: string }): Promise<void> {
    const used = { run_id: this.of.run_id, call_id, tokens: wholeTokens(tokens), usd };
    try {
      await retryWhileUnavailable(() => this.bus.call(runBudgets.settle, used), {
        timeoutMs: UNAVAILABLE_MS_MAX,
      });
    } catch (error) {
      this.logger.warn({ ...this.of, err: error }, 'use of a model call not reported');
    }
  }
}

function wholeTokens(tokens: number): number {
  return Math.min(Math.ceil(tokens), TOKENS_MAX);
}
