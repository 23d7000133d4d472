import { callCostUsd, type PricedUsage, type Pricing } from '@agentclash/challengepack';
import type { PlannedLane } from '@agentclash/contracts';
import { modelsOf } from '../admission/run-models.js';
import { type AgentSnapshot, isMetered } from '../plans/agent-snapshot.js';
import { withPrice } from '../plans/model-catalog.js';
import type { EndedDelivery } from '../store/attempts/attempt-reads.store.js';

type LaneFigures = Pick<PlannedLane, 'cost_usd' | 'duration_ms' | 'unknown_cost' | 'attempts'>;

/** The mean cost and time of an attempt, with all its deliveries. The cost is unknown as soon as that of one delivery is. */
export function laneFigures(
  deliveries: readonly EndedDelivery[],
  agent: AgentSnapshot,
  pricing: Pricing,
): LaneFigures {
  const attempts = new Set(deliveries.map(({ attemptId }) => attemptId)).size;
  if (attempts === 0) {
    return { cost_usd: null, duration_ms: null, unknown_cost: 'no_earlier_run', attempts: 0 };
  }
  const costs = deliveries.map(({ result }) => deliveryCost(result, agent, pricing));
  const durations = deliveries.map(({ startedAt, finishedAt }) => finishedAt.getTime() - startedAt.getTime());
  const cost = costs.includes(null) ? null : sum(costs) / attempts;
  return {
    cost_usd: cost,
    duration_ms: sum(durations) / attempts,
    unknown_cost: cost === null ? 'no_price' : null,
    attempts,
  };
}

/** As it was charged; else of its tokens at the present price. Null where either is unknown. */
function deliveryCost(
  result: EndedDelivery['result'],
  agent: AgentSnapshot,
  pricing: Pricing,
): number | null {
  if (!isMetered(agent)) return null;
  if (result === null) return 0;
  if (result.cost_usd !== null) return result.cost_usd;
  if (agent.kind === 'scripted' || result.model_call_count === 0) return 0;
  const [model, ...others] = modelsOf(agent);
  // The tokens of several models are counted together.
  if (model === undefined || others.length > 0) return null;
  const [row] = withPrice(model, pricing).pricing?.models ?? [];
  return row === undefined ? null : (callCostUsd((result.usage ?? {}) as PricedUsage, row) ?? null);
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
