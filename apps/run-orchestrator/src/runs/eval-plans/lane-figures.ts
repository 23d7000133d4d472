import { callCostUsd, type PricedUsage, type Pricing } from '@agentclash/challengepack';
import type { PlannedLane } from '@agentclash/contracts';
import { type AgentSnapshot, isMetered, modelsOf, WORKER_LOST, withPrice } from '@agentclash/run-rules';
import type { EndedDelivery } from '../store/attempts/attempt-reads.store.js';

type LaneFigures = Pick<PlannedLane, 'cost_usd' | 'duration_ms' | 'unknown_cost' | 'attempts'>;

/**
 * The mean cost and time of an attempt, with all its deliveries. The cost is unknown as soon as that of one delivery is; an
 * attempt is left out of its mean where only the calls of a lost executor are unknown.
 */
export function laneFigures(
  deliveries: readonly EndedDelivery[],
  agent: AgentSnapshot,
  pricing: Pricing,
): LaneFigures {
  const attempts = new Set(deliveries.map(({ attemptId }) => attemptId)).size;
  if (attempts === 0) {
    return { cost_usd: null, duration_ms: null, unknown_cost: 'no_earlier_run', attempts: 0 };
  }
  const durations = deliveries.map(({ startedAt, finishedAt }) => finishedAt.getTime() - startedAt.getTime());
  return {
    ...attemptCost(deliveries, agent, pricing),
    duration_ms: sum(durations) / attempts,
    attempts,
  };
}

function attemptCost(
  deliveries: readonly EndedDelivery[],
  agent: AgentSnapshot,
  pricing: Pricing,
): Pick<LaneFigures, 'cost_usd' | 'unknown_cost'> {
  const costs = new Map<string, number>();
  const interrupted = new Set<string>();
  for (const { attemptId, result } of deliveries) {
    const cost = deliveryCost(result, agent, pricing);
    if (cost === null && !isInterrupted(result)) return { cost_usd: null, unknown_cost: 'no_price' };
    if (cost === null) interrupted.add(attemptId);
    costs.set(attemptId, (costs.get(attemptId) ?? 0) + (cost ?? 0));
  }
  for (const attemptId of interrupted) costs.delete(attemptId);
  if (costs.size === 0) return { cost_usd: null, unknown_cost: 'interrupted' };
  return { cost_usd: sum([...costs.values()]) / costs.size, unknown_cost: null };
}

/** Its executor was lost during a call. */
function isInterrupted(result: EndedDelivery['result']): boolean {
  return result?.error?.code === WORKER_LOST;
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
