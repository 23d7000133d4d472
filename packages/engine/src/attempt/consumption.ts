import type { AttemptLimits } from '@agentclash/domain';
import type { Clock } from '../clock.js';
import type { AttemptCounters } from '../conversation/state.js';
import type { AttemptEvents } from '../events/attempt-events.js';
import { Spending } from '../model/spending.js';
import { Steps } from '../model/steps.js';
import { starvedField } from '../sandbox/attempt-sandbox.js';
import type { ToolCallCounts } from '../tools/tool-call-handler.js';
import type { RunFigures } from './result.js';

interface ConsumptionOptions {
  events: AttemptEvents;
  clock: Clock;
  /** Of the same delivery, before it was parked. */
  before: AttemptCounters | undefined;
}

const UNLIMITED = { max_total_tokens: null, max_cost_usd: null };

/** Everything that one delivery uses up, and that its limits count. */
export class Consumption {
  readonly spending: Spending;
  /** The cost of the simulated user, which is not charged to the agent. */
  readonly simulatorSpending: Spending;
  readonly steps: Steps;
  calls: ToolCallCounts;
  /** Of the run stage, as its time limit counts it. */
  elapsedMs: number;
  /** The excluded time: commands were ready to run, without CPU. */
  starvedMs: number;

  constructor(
    limits: Pick<AttemptLimits, 'max_total_tokens' | 'max_cost_usd'>,
    { events, clock, before }: ConsumptionOptions,
  ) {
    this.spending = new Spending(limits, before && { ...before, calls: before.model_calls ?? 0 });
    this.simulatorSpending = new Spending(UNLIMITED, before?.simulator);
    this.steps = new Steps({ events, clock }, before?.steps);
    this.elapsedMs = before?.elapsed_ms ?? 0;
    this.starvedMs = before?.starved_ms ?? 0;
    this.calls = {
      calls: before?.tool_calls ?? 0,
      denials: before?.policy_denials ?? 0,
      firstRefusedStep: before?.first_refused_step ?? null,
    };
  }

  counters(): AttemptCounters {
    const { spending, simulatorSpending, steps, calls } = this;
    return {
      elapsed_ms: this.elapsedMs,
      ...(this.starvedMs > 0 && { starved_ms: this.starvedMs }),
      steps: steps.count,
      tool_calls: calls.calls,
      policy_denials: calls.denials,
      first_refused_step: calls.firstRefusedStep,
      model_calls: spending.calls,
      usage: spending.usage,
      cost_usd: spending.knownUsd,
      ...(spending.unpricedCalls > 0 && { unpriced_calls: spending.unpricedCalls }),
      simulator: { usage: simulatorSpending.usage, cost_usd: simulatorSpending.knownUsd },
    };
  }

  figures(): RunFigures {
    const { spending, simulatorSpending, steps, calls } = this;
    return {
      step_count: steps.count,
      model_call_count: spending.calls,
      tool_call_count: calls.calls,
      usage: spending.usage,
      ...(simulatorSpending.isUsed && { simulator_usage: simulatorSpending.usage }),
      ...spending.cost,
      latency_ms: Math.round(this.elapsedMs),
      ...starvedField(this),
    };
  }
}
